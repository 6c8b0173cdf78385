import { type Diagnostic, FINDINGS } from './diagnostic.ts';
import type { Entry, Sentence, Severity } from './entry.ts';

/**
 * Puts a diagnostic into words: what is wrong, the remedy, how severe it is and which exit code it leads to. The words may
 * hold foreign text: escape them for the sink.
 */
export function explain({ code, facts, place, server, said }: Diagnostic) {
  const entry: Entry<never> = FINDINGS[code];
  const { severity, exit } = entry;
  const about = { code, severity, exit, place, server };
  if (said !== undefined) return { ...about, message: said.message, hint: said.hint };
  // A diagnostic is made with the facts of its code, which are those that the entry takes.
  const put = <Text>(sentence: Sentence<never, Text>) =>
    typeof sentence === 'string' ? sentence : sentence(facts as never);
  const hint = entry.hint === undefined ? undefined : put(entry.hint);
  return { ...about, message: put(entry.message), hint };
}

/** How severe a finding is. */
export function severityOf({ code }: Diagnostic): Severity {
  return FINDINGS[code].severity;
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
