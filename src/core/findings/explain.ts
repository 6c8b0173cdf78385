import { present } from '../model/present.ts';
import { type Diagnostic, FINDINGS } from './diagnostic.ts';
import { type Entry, type ExitClass, type Made, type Severity, weightOf } from './entry.ts';

/** A finding in words, as documents have it. */
export interface DiagnosticDocument {
  /** What kind of finding it is; codes do not change. */
  readonly code: string;
  readonly severity: Severity;
  /** What was found, for a person. */
  readonly message: string;
  /** What can be done about it. */
  readonly hint?: string;
  /** The name of the server that it is about, where there are several. */
  readonly server?: string;
  /** The integrations that it is about, by their names in the configuration; absent where it is about none. */
  readonly integrations?: readonly string[];
  /** The configuration file. */
  readonly file?: string;
  /** The line, from 1. */
  readonly line?: number;
  /** The column, from 1, in UTF-16 units. */
  readonly column?: number;
  /** The column behind its last character, on the same line. */
  readonly endColumn?: number;
}

/** Puts a diagnostic into words, which may hold foreign text: escape them for the sink. */
export function explain(found: Diagnostic) {
  const { code, facts, place, server, said } = found;
  const entry: Entry<never> = FINDINGS[code];
  const about = { code, ...weigh(found), place, server };
  if (said !== undefined) return { ...about, message: said.message, hint: said.hint };
  const own = 'hint' in facts ? facts.hint : undefined;
  const hint = own ?? (entry.hint === undefined ? undefined : made(entry.hint, facts));
  return { ...about, message: made(entry.message, facts), hint };
}

/** How severe a finding is, and which exit code it leads to. */
function weigh({ code, facts, said }: Diagnostic): { readonly severity: Severity; readonly exit: ExitClass } {
  const entry: Entry<never> = FINDINGS[code];
  const weight = weightOf(made(entry.kind, facts));
  return said?.severity === undefined ? weight : { ...weight, severity: said.severity };
}

/** A diagnostic is made with the facts of its code, which are those that the entry takes. */
function made<Part extends string | undefined>(part: Made<never, Part>, facts: object): Part {
  return typeof part === 'function' ? part(facts as never) : part;
}

/** A finding as documents have it. */
export function diagnosticDocument(found: Diagnostic): DiagnosticDocument {
  const { code, severity, message, hint, place, server } = explain(found);
  const [...integrations] = integrationsOf(found);
  const about = integrations.length === 0 ? {} : { integrations };
  return { code, severity, message, ...present({ hint, server }), ...about, ...present({ ...place }) };
}

/** How severe a finding is. */
export function severityOf(found: Diagnostic): Severity {
  return weigh(found).severity;
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => severityOf(found) === 'error');
}

/** A diagnostic with each text of its facts, or of what it said, shortened. */
export function withShortFacts(found: Diagnostic, shorten: (text: string) => string): Diagnostic {
  const shortened = (fact: unknown): unknown => {
    if (typeof fact === 'string') return shorten(fact);
    if (Array.isArray(fact)) return fact.map(shortened);
    if (typeof fact !== 'object' || fact === null) return fact;
    return Object.fromEntries(Object.entries(fact).map(([name, each]) => [name, shortened(each)]));
  };
  const said = found.said === undefined ? {} : { said: shortened(found.said) };
  // Shortening changes neither the names nor the types of facts.
  return { ...found, facts: shortened(found.facts), ...said } as Diagnostic;
}

/** What follows the integration in the address of a field. */
export const FIELD_END = /\.(options\..*|autosubscribe)$/;

/** The integration of a finding about one: the first part of a field address, or a fact of its own. */
export function integrationOf({ facts }: Diagnostic): string | undefined {
  if ('address' in facts && facts.address !== undefined) return facts.address.replace(FIELD_END, '');
  return 'integration' in facts ? facts.integration : undefined;
}

/** The integrations that a finding is about, each once; none where it is about a server, a file or a flag. */
function integrationsOf(found: Diagnostic): readonly string[] {
  const { facts, said } = found;
  if (said !== undefined) return said.integrations ?? [];
  if ('addresses' in facts) return [...new Set(facts.addresses.map((each) => each.replace(FIELD_END, '')))];
  if ('integrations' in facts && typeof facts.integrations === 'object') return facts.integrations;
  return [integrationOf(found) ?? []].flat();
}
