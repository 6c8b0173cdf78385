import type { Types } from '../../generated/plan-types.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  compareText,
  type Diagnostic,
  FINDINGS,
  type Reached,
} from './diagnostic.ts';
import { type Entry, KINDS } from './entry.ts';
import { listed } from './words.ts';

/** Puts a diagnostic into words, which may hold foreign text: escape them for the sink. */
export function explain(found: Diagnostic) {
  const { code, facts, place, places, server } = found;
  const entry: Entry<never> = FINDINGS[code];
  const { severity, exit } = KINDS[made(entry.kind, facts)];
  const hint = facts.hint ?? made(entry.hint, facts);
  const sentence = made(entry.message, facts) ?? `${entry.title}.`;
  const said = facts.detail
    ? sentence.replace(/\.$/, () => `: ${facts.detail}`)
    : sentence;
  const message = `${said}${reachedText(facts.reached)}`;
  return { code, severity, exit, place, places, server, message, hint };
}

/** How far an apply came: counts and the first names. */
function reachedText(reached: Reached | undefined): string {
  if (reached === undefined) return '';
  const { applied, notApplied, unknown } = reached;
  const texts = Object.entries({
    applied,
    'not applied': notApplied,
    unknown,
  }).flatMap(([word, names]) =>
    names.length === 0
      ? []
      : [`${names.length} ${word} (${listed(names, 10)})`],
  );
  return texts.length === 0
    ? ' Nothing was written.'
    : ` Integrations: ${texts.join(', ')}.`;
}

/** A diagnostic is made with the facts of its code, which are those that the entry takes. */
function made<Part extends string | undefined>(
  part: Part | ((facts: never) => Part),
  facts: object,
): Part {
  return typeof part === 'function' ? part(facts as never) : part;
}

type Worded = Types['diagnostic'];

/** Findings as documents have them, in the order of their places, with those of other documents. */
export function diagnosticDocuments(
  diagnostics: readonly Diagnostic[],
  others: readonly Worded[] = [],
) {
  const documents = diagnostics.map((found): Worded => {
    const { code, severity, message, hint, place, places, server } =
      explain(found);
    const integrations = integrationsOf(found);
    const about = integrations.length === 0 ? {} : { integrations };
    return {
      code,
      severity,
      message,
      ...present({ hint, server }),
      ...about,
      ...present({ ...place, places: places?.map(placeDocument) }),
    };
  });
  return [...others, ...documents].sort(compareFindings);
}

function placeDocument({ file, line, column, endColumn }: Place) {
  return { file, line, column, ...present({ endColumn }) };
}

/** Orders findings by file, line, column, then code, so that the same input makes the same list. */
function compareFindings(a: Worded, b: Worded): number {
  return (
    compareText(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.server ?? '', b.server ?? '')
  );
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => explain(found).severity === 'error');
}

/** What follows the integration in the address of a field. */
const FIELD_END = /\.(options\..*|autosubscribe)$/;

/** The integrations that a finding is about, each once; none if it is about a server, a file or a flag. */
function integrationsOf({ facts }: Diagnostic): readonly string[] {
  if ('addresses' in facts)
    return [...new Set(facts.addresses.map(integrationIn))];
  if ('integrations' in facts) return facts.integrations ?? [];
  if ('address' in facts && facts.address !== undefined)
    return [integrationIn(facts.address)];
  return 'integration' in facts && facts.integration !== undefined
    ? [facts.integration]
    : [];
}

function integrationIn(address: string): string {
  return address.replace(FIELD_END, '');
}

function isCode(word: string): word is Diagnostic['code'] {
  return Object.hasOwn(FINDINGS, word);
}

/** What a code means and what to do about it, without what depends on the facts; undefined for any other word. */
export function findingHelp(code: string) {
  if (!isCode(code)) return undefined;
  const { title, kind, message, hint, why }: Entry<never> = FINDINGS[code];
  const fixed = <Part>(part: Part) =>
    typeof part === 'string' ? part : undefined;
  const words = present({ message: fixed(message), why, hint: fixed(hint) });
  const { severity, exit } = typeof kind === 'string' ? KINDS[kind] : {};
  return {
    code,
    title,
    ...words,
    ...present({ severity, exit: severity === 'error' ? exit : undefined }),
  };
}
