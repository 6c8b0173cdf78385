import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { type Clean, cleaned } from '../../src/core/report/clean.ts';
import { type DiagnosticsView, renderDiagnostics } from '../../src/core/report/diagnostics-text.ts';
import { type Format, RENDERERS } from '../../src/core/report/formats.ts';
import { PLAIN } from '../../src/core/report/paint.ts';
import type { Report } from '../../src/core/report/report.ts';
import { scrubber } from '../../src/core/scrub/scrubber.ts';

const VIEW = { paint: PLAIN, width: 80, tool: { name: 't', version: '0' } };

/** A report and findings in one format, as a run that knows some secrets writes them. */
export function rendered(
  format: Format,
  report: Report,
  findings: readonly Diagnostic[] = [],
  secrets: readonly string[] = [],
): string {
  return RENDERERS[format](clean(report, secrets), clean(findings, secrets), VIEW);
}

/** Findings as a run that knows some secrets shows them. */
export function renderedFindings(
  findings: readonly Diagnostic[],
  view: Pick<DiagnosticsView, 'sources'> & Partial<DiagnosticsView>,
  secrets: readonly string[] = [],
): string {
  const { find } = scrubber(secrets);
  return renderDiagnostics(clean(findings, secrets), { ...VIEW, find, notes: true, ...view });
}

function clean<T>(data: T, secrets: readonly string[]): Clean<T> {
  return cleaned(data, scrubber(secrets));
}
