import type { Document } from '../core/plan/document.ts';
import { forTerminal } from '../core/report/escape.ts';
import { type Format, RENDERERS } from '../core/report/formats.ts';
import { PLAIN } from '../core/report/paint.ts';

/** Renders a document in a format of `--report`; its text ends with the errors and warnings. */
export async function render(document: Document, format: Format): Promise<string> {
  const renderer = await RENDERERS[format]();
  const text = renderer(document, { paint: PLAIN, width: 80 });
  if (format !== 'text') return text;
  const findings = document.diagnostics.filter(({ severity }) => severity !== 'note').map(findingText);
  return [text, findings.join('')].filter((part) => part !== '').join('\n');
}

function findingText({ code, severity, message, hint, ...place }: Document['diagnostics'][number]): string {
  const { file, line = 1, column = 1 } = place;
  const where = file === undefined ? '' : `${file}:${line}:${column} `;
  const lines = [`${where}${severity} ${code}: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])];
  return lines.map((each) => `${forTerminal(each)}\n`).join('');
}
