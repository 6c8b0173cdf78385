import type { Document } from '../core/plan/plan.ts';
import { type Format, rendererOf } from '../core/report/formats.ts';
import { PLAIN } from '../core/report/report.ts';
import { renderFindings } from '../core/report/text/diagnostics.ts';

/** Renders a document in a format of `--report`; its text ends with the errors and warnings. */
export async function render(document: Document, format: Format): Promise<string> {
  const view = { paint: PLAIN, width: 80 };
  const text = (await rendererOf(format))(document, view);
  if (format !== 'text') return text;
  const findings = renderFindings(document.diagnostics, { ...view, notes: false, sources: new Map() });
  return [text, findings].filter((part) => part !== '').join('\n');
}
