import type { OptionValue } from '../../model/value.ts';
import type { ChangeDocument } from '../../plan/plan.ts';

/** A change on one server. */
interface ChangeOn {
  readonly server: string;
  readonly change: ChangeDocument;
}

/** Stands for the name of a server in texts that are compared. */
const NAME = '\ue001';

/** The most names that stand between braces. */
const NAMED_AT_MOST = 4;

/** The texts of a change in which the name of a server can stand. */
const TEXTS = [
  'before',
  'after',
  'base',
  'reference',
  'beforeReference',
] as const;

/** A change whose texts have a sign for the name of its server. */
export function withServerNames<Fact extends ChangeOn>(
  fact: Fact,
  all: readonly ChangeOn[],
): Fact {
  const isAlone = all.every(({ server }) => server === fact.server);
  if (isAlone) return fact;
  const pattern = nameIn(fact.server);
  const change = mapTexts(fact.change, (text) => text.replace(pattern, NAME));
  return { ...fact, change };
}

/** The change that several stand for, with all names: `{staging,prod}`. */
export function commonForm(facts: readonly ChangeOn[]): ChangeDocument {
  const [first, ...others] = facts;
  if (first === undefined) throw new Error('a row without a change');
  if (others.length === 0) return first.change;
  const names = facts.map(({ server }) => server);
  return mapTexts(first.change, (text) =>
    text.replace(nameIn(first.server), (found) => braced(found, names)),
  );
}

/** All names in the form of the one that was found. */
function braced(found: string, names: readonly string[]): string {
  const isVariable = found === variableForm(found);
  const forms = isVariable ? names.map(variableForm) : names;
  const shown = forms.slice(0, NAMED_AT_MOST);
  const more = forms.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  return `{${shown.join(',')}}`;
}

/** Finds the name of a server as a word, also in the form of variables. */
function nameIn(server: string): RegExp {
  const forms = [server, variableForm(server)].map((form) =>
    form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  // An underscore ends a word of a variable.
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  );
}

/** The name of a server in a variable. */
function variableForm(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

function mapTexts(
  change: ChangeDocument,
  map: (text: string) => string,
): ChangeDocument {
  const mapped: Record<string, OptionValue | null> = {};
  for (const key of TEXTS) {
    const content = change[key];
    if (typeof content === 'string') mapped[key] = map(content);
  }
  return { ...change, ...mapped };
}
