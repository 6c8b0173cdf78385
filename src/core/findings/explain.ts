import { present } from '../model/present.ts';
import { integrationsOf } from './about.ts';
import { type Diagnostic, FINDINGS } from './diagnostic.ts';
import type { Entry, Sentence, Severity } from './entry.ts';

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

/**
 * Puts a diagnostic into words: what is wrong, the remedy, how severe it is and which exit code it leads to. The words may
 * hold foreign text: escape them for the sink.
 */
export function explain({ code, facts, place, server, said }: Diagnostic) {
  const entry: Entry<never> = FINDINGS[code];
  const { exit } = entry;
  const about = { code, severity: severityOf({ code, facts }), exit, place, server };
  if (said !== undefined) return { ...about, message: said.message, hint: said.hint };
  // A diagnostic is made with the facts of its code, which are those that the entry takes.
  const put = <Text>(sentence: Sentence<never, Text>) =>
    typeof sentence === 'string' ? sentence : sentence(facts as never);
  const hint = entry.hint === undefined ? undefined : put(entry.hint);
  return { ...about, message: put(entry.message), hint };
}

/** A finding as documents have it. */
export function diagnosticDocument(found: Diagnostic): DiagnosticDocument {
  const { code, severity, message, hint, place, server } = explain(found);
  const [...integrations] = integrationsOf(found);
  const about = integrations.length === 0 ? {} : { integrations };
  return { code, severity, message, ...present({ hint, server }), ...about, ...present({ ...place }) };
}

/** How severe a finding is. */
export function severityOf({ code, facts }: Pick<Diagnostic, 'code' | 'facts'>): Severity {
  const { severity, isNote }: Entry<never> = FINDINGS[code];
  // A diagnostic is made with the facts of its code.
  return isNote?.(facts as never) ? 'note' : severity;
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
