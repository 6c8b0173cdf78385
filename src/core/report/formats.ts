import type { Document } from '../plan/document.ts';
import { jsonDocument } from './escape.ts';
import type { View } from './report.ts';
import { renderText } from './text/plan.ts';

export type Format = 'text' | 'json' | 'html' | 'markdown' | 'github' | 'gitlab' | 'junit' | 'sarif';

/** Renders a document. The text ends with a newline unless it is empty. */
type Renderer = (document: Document, view: View) => string;

/** Every format of `--report`. Most are loaded when they are used. */
export const RENDERERS: Readonly<Record<Format, () => Renderer | Promise<Renderer>>> = {
  text: () => renderText,
  json: () => jsonDocument,
  html: async () => (await import('./page/html.ts')).renderHtml,
  markdown: async () => (await import('./page/markdown.ts')).renderMarkdown,
  github: async () => (await import('./ci/formats.ts')).renderGithub,
  gitlab: async () => (await import('./ci/formats.ts')).renderGitlab,
  junit: async () => (await import('./ci/formats.ts')).renderJunit,
  sarif: async () => (await import('./ci/formats.ts')).renderSarif,
};

/** The names of the formats. */
export const FORMATS = Object.keys(RENDERERS);

/** The formats of every command; the others are for documents with changes, and for the findings of validate. */
export const OF_EVERY_COMMAND: readonly Format[] = ['text', 'json'];

/** Whether a format has this name. */
export function isFormat(name: string): name is Format {
  return Object.hasOwn(RENDERERS, name);
}
