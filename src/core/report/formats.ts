import type { Document } from '../plan/plan.ts';
import { jsonDocument } from './escape.ts';
import type { PAGES } from './page.ts';
import type { PIPELINES } from './pipelines.ts';
import type { View } from './report.ts';

export type Format =
  | 'text'
  | 'json'
  | keyof typeof PAGES
  | keyof typeof PIPELINES;

const WORDS: Readonly<Record<Format, true>> = {
  ...{ text: true, json: true, html: true, markdown: true },
  ...{ github: true, gitlab: true, junit: true, sarif: true },
};

/** The formats of `--report`. */
export const FORMATS = Object.keys(WORDS) as readonly Format[];

/** Finds what renders a document in a format; most is loaded when it is used. The text ends with a newline unless it is empty. */
export async function rendererOf(
  format: Format,
): Promise<(document: Document, view: View) => string> {
  if (format === 'text') return (await import('./text/plan.ts')).renderText;
  if (format === 'json') return jsonDocument;
  if (format === 'html') return (await import('./page/page.ts')).renderPage;
  if (format === 'markdown') return (await import('./page.ts')).PAGES[format];
  return (await import('./pipelines.ts')).PIPELINES[format];
}
