import type { Place } from '../model/place.ts';
import { APPLY } from './apply.ts';
import { CONNECTION } from './connection.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostic.ts';
import type { Entries, Entry, ExitClass, Severity } from './entry.ts';
import type { DiagnosticFacts } from './facts.ts';
import { REFERENCES } from './references.ts';
import { RULES } from './rules.ts';
import { SERVER } from './server.ts';
import { USAGE } from './usage.ts';
import { YAML } from './yaml.ts';

/** A diagnostic as a person reads it. Texts may hold foreign words: escape them for the sink. */
export interface Explained {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly exit: ExitClass;
  readonly message: string;
  readonly hint?: string;
  readonly place?: Place;
  readonly server?: string;
}

/** Facts that repeat what a server or a file said; the sentences around them are our own. */
const FOREIGN_FACTS = new Set([
  'detail',
  'reason',
  'mediaType',
  'candidates',
  'known',
  'choices',
  'written',
  'reference',
  'moved',
  'before',
  'now',
]);

/** A diagnostic with its foreign facts cleaned of something, such as known secrets. */
export function withCleanFacts(found: Diagnostic, clean: (text: string) => string): Diagnostic {
  const isForeign = (name: string) =>
    FOREIGN_FACTS.has(name) || (found.code === 'unexpected' && name === 'problem');
  // The names and types of the facts are as they were.
  return { ...found, facts: cleanedMembers(found.facts, isForeign, clean) } as Diagnostic;
}

function cleanedMembers(
  facts: object,
  isForeign: (name: string) => boolean,
  clean: (text: string) => string,
) {
  const entries = Object.entries(facts).map(([name, fact]) => [
    name,
    isForeign(name) ? cleaned(fact, clean) : fact,
  ]);
  return Object.fromEntries(entries);
}

function cleaned(fact: unknown, clean: (text: string) => string): unknown {
  if (typeof fact === 'string') return clean(fact);
  if (Array.isArray(fact)) return fact.map((each) => cleaned(each, clean));
  const isGroup = typeof fact === 'object' && fact !== null;
  return isGroup ? cleanedMembers(fact, (name) => FOREIGN_FACTS.has(name), clean) : fact;
}

/** Looks a diagnostic up: its sentence, its remedy, how severe it is and which exit code it leads to. */
export function explain(found: Diagnostic): Explained {
  // Each member of the union pairs one code with its own facts, so the entry under that code takes them.
  const entry = CATALOGUE[found.code] as Entry<DiagnosticFacts[DiagnosticCode]>;
  const facts = found.facts as DiagnosticFacts[DiagnosticCode] & Record<never, never>;
  const message = (entry.message as (facts: unknown) => string)(facts);
  const hint = (entry.hint as ((facts: unknown) => string | undefined) | undefined)?.(facts);
  return {
    code: found.code,
    severity: entry.severity,
    exit: entry.exit,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(found.place === undefined ? {} : { place: found.place }),
    ...(found.server === undefined ? {} : { server: found.server }),
  };
}

/** How severe a finding is. */
export function severityOf({ code }: Diagnostic): Severity {
  return CATALOGUE[code].severity;
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => severityOf(found) === 'error');
}

/** One entry a code: what is said of it, what can be done about it, and what it makes of the exit code. */
const CATALOGUE: Entries<DiagnosticFacts> = {
  ...USAGE,
  ...YAML,
  ...REFERENCES,
  ...RULES,
  ...SERVER,
  ...CONNECTION,
  ...APPLY,
};
