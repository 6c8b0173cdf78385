import { type Diagnostic, FINDINGS } from './diagnostic.ts';
import type { Entry, Sentence, Severity } from './entry.ts';

/**
 * Puts a diagnostic into words: what is wrong, the remedy, how severe it is and which exit code it leads to. The words may
 * hold foreign text: escape them for the sink.
 */
export function explain({ code, facts, place, server }: Diagnostic) {
  // A diagnostic is made with the facts of its code, which are those that the entry takes.
  const said = <Text>(sentence: Sentence<never, Text>) =>
    typeof sentence === 'string' ? sentence : sentence(facts as never);
  const entry: Entry<never> = FINDINGS[code];
  const { severity, exit } = entry;
  const hint = entry.hint === undefined ? undefined : said(entry.hint);
  return { code, severity, exit, message: said(entry.message), hint, place, server };
}

/** How severe a finding is. */
export function severityOf({ code }: Diagnostic): Severity {
  return FINDINGS[code].severity;
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => severityOf(found) === 'error');
}

type Change = (text: string) => string;

/** A diagnostic with its foreign facts cleaned, for example of known secrets, and each of its texts shortened. */
export function withCleanFacts(
  found: Diagnostic,
  clean: Change,
  shorten: Change = (text) => text,
): Diagnostic {
  const foreign: Change = (text) => shorten(clean(text));
  const changed = (fact: unknown, change: Change): unknown => {
    if (typeof fact === 'string') return change(fact);
    if (Array.isArray(fact)) return fact.map((each) => changed(each, change));
    if (typeof fact !== 'object' || fact === null) return fact;
    const facts = Object.entries(fact);
    return Object.fromEntries(
      facts.map(([name, each]) => [name, changed(each, FOREIGN_FACTS.has(name) ? foreign : shorten)]),
    );
  };
  // Cleaning changes neither the names nor the types of facts.
  return { ...found, facts: changed(found.facts, shorten) } as Diagnostic;
}

/** Facts that repeat what a server, a file or the system said; the sentences around them are our own. */
const FOREIGN_FACTS = new Set([
  ...['detail', 'reason', 'mediaType', 'candidates', 'known', 'choices', 'written', 'reference'],
  ...['before', 'now'],
]);
