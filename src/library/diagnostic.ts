import { distinct, type Diagnostic as Found } from '../core/findings/diagnostic.ts';
import { type DiagnosticDocument, diagnosticDocuments } from '../core/findings/explain.ts';
import { masker } from '../core/report/mask.ts';

/** What was found, in words and as the JSON reports have it. A gate may add its own, with codes of its own. */
export type Diagnostic = DiagnosticDocument;

/** Findings in words without these secrets, each once; ordered by file, line, column and code. */
export function inWords(found: readonly Found[], secrets: Iterable<string> = []): readonly Diagnostic[] {
  return masker(secrets).data(diagnosticDocuments(distinct(found)));
}
