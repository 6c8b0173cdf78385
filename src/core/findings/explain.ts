import type { planSchema } from '../../generated/plan-schema.ts';
import { present } from '../model/json.ts';
import type { TypeOf } from '../model/schema-type.ts';
import { compareText, type Diagnostic, FINDINGS } from './diagnostic.ts';
import { type Entry, KINDS, type Severity } from './entry.ts';

type Definitions = typeof planSchema.definitions;

/** A finding in words, as documents have it. */
export interface DiagnosticDocument extends TypeOf<Definitions['diagnostic'], Definitions> {}

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
function made<Part extends string | undefined>(part: Part | ((facts: never) => Part), facts: object): Part {
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

/** Whether a finding refuses a plan: the next run judges anew. */
export function isRefusal({ code }: Diagnostic): boolean {
  return code === 'risk-refused' || code === 'many-changes' || code === 'not-confirmed';
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => explain(found).severity === 'error');
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

/** What a code means and what to do about it; parts that depend on the facts of a finding are absent. */
export function findingHelp(code: keyof typeof FINDINGS) {
  const { title, kind, message, hint, why }: Entry<never> = FINDINGS[code];
  const fixed = <Part>(part: Part) => (typeof part === 'string' ? part : undefined);
  const words = present({ message: fixed(message), why, hint: fixed(hint) });
  const { severity, exit } = typeof kind === 'string' ? KINDS[kind] : {};
  return { code, title, ...words, ...present({ severity, exit: severity === 'error' ? exit : undefined }) };
}

/** The severity and exit code of a code, in brackets. */
export function weightText({ severity, exit }: { severity?: Severity; exit?: number }): string {
  if (severity === undefined) return '';
  return exit === undefined ? ` (${severity})` : ` (${severity}, exit code ${exit})`;
}
