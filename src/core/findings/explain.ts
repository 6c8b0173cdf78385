import { present } from '../model/json.ts';
import { compareText, type Diagnostic, FINDINGS } from './diagnostic.ts';
import { type Entry, KINDS, type Made, type Severity } from './entry.ts';

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
  const { code, facts, place, server } = found;
  const entry: Entry<never> = FINDINGS[code];
  const { severity, exit } = KINDS[made(entry.kind, facts)];
  const near = 'near' in facts && facts.near !== undefined ? `Did you mean ${facts.near}?` : undefined;
  const own = 'hint' in facts ? facts.hint : undefined;
  const hint = near ?? own ?? made(entry.hint, facts);
  return { code, severity, exit, place, server, message: made(entry.message, facts), hint };
}

/** A diagnostic is made with the facts of its code, which are those that the entry takes. */
function made<Part extends string | undefined>(part: Made<never, Part>, facts: object): Part {
  return typeof part === 'function' ? part(facts as never) : part;
}

/** A finding as documents have it. */
function diagnosticDocument(found: Diagnostic): DiagnosticDocument {
  const { code, severity, message, hint, place, server } = explain(found);
  const integrations = integrationsOf(found);
  const about = integrations.length === 0 ? {} : { integrations };
  return { code, severity, message, ...present({ hint, server }), ...about, ...present({ ...place }) };
}

/** Findings as documents have them, in the order of their places. */
export function diagnosticDocuments(found: readonly Diagnostic[]): DiagnosticDocument[] {
  return found.map(diagnosticDocument).sort(compareFindings);
}

/** Orders findings by file, line, column, then code, so that the same input makes the same list. */
function compareFindings(a: DiagnosticDocument, b: DiagnosticDocument): number {
  return (
    compareText(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.server ?? '', b.server ?? '')
  );
}

/** How severe a finding is. */
export function severityOf(found: Diagnostic): Severity {
  return explain(found).severity;
}

/** Whether a finding refuses a plan: the next run judges anew. */
export function isRefusal({ code }: Diagnostic): boolean {
  return code === 'risk-refused' || code === 'many-changes' || code === 'not-confirmed';
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => severityOf(found) === 'error');
}

/** What follows the integration in the address of a field. */
const FIELD_END = /\.(options\..*|autosubscribe)$/;

/** The integrations that a finding is about, each once; none if it is about a server, a file or a flag. */
function integrationsOf({ facts }: Diagnostic): readonly string[] {
  if ('addresses' in facts) return [...new Set(facts.addresses.map(integrationIn))];
  if ('integrations' in facts) return facts.integrations ?? [];
  if ('address' in facts && facts.address !== undefined) return [integrationIn(facts.address)];
  return 'integration' in facts && facts.integration !== undefined ? [facts.integration] : [];
}

function integrationIn(address: string): string {
  return address.replace(FIELD_END, '');
}
