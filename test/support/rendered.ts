import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { type Clean, cleaned } from '../../src/core/report/clean.ts';
import { type Format, isFormat, RENDERERS } from '../../src/core/report/formats.ts';
import { PLAIN } from '../../src/core/report/paint.ts';
import type { Report, View } from '../../src/core/report/report.ts';
import { type DiagnosticsView, renderDiagnostics } from '../../src/core/report/text/diagnostics.ts';
import { scrubber } from '../../src/core/scrub/scrubber.ts';

const FORMATS = Object.keys(RENDERERS).filter(isFormat);

/** All formats, loaded. */
const LOADED = new Map(
  await Promise.all(FORMATS.map(async (each) => [each, await RENDERERS[each]()] as const)),
);

const VIEW = { paint: PLAIN, width: 80, folder: '', tool: { name: 't', version: '0' } };

/** A report and findings in one format, as a run that knows some secrets writes them. */
export function rendered(
  format: Format,
  report: Report,
  findings: readonly Diagnostic[] = [],
  secrets: readonly string[] = [],
  view: Partial<View> = {},
): string {
  const render = LOADED.get(format);
  if (render === undefined) throw new Error(`no format ${format}`);
  return render(clean(report, secrets), clean(findings, secrets), { ...VIEW, ...view });
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
