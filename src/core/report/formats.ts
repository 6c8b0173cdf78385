import type { Document } from '../plan/plan.ts';
import { jsonDocument } from './escape.ts';
import type { View } from './report.ts';

/** The formats of `--report`. */
export const FORMATS = ['text', 'json', 'html', 'markdown', 'github', 'gitlab', 'junit', 'sarif'] as const;

export type Format = (typeof FORMATS)[number];

/** Finds what renders a document in a format; most is loaded when it is used. The text ends with a newline unless it is empty. */
export async function rendererOf(format: Format): Promise<(document: Document, view: View) => string> {
  if (format === 'text') return (await import('./text/plan.ts')).renderText;
  if (format === 'json') return jsonDocument;
  if (format === 'html' || format === 'markdown') return (await import('./page.ts')).PAGES[format];
  return (await import('./pipelines.ts')).PIPELINES[format];
}
