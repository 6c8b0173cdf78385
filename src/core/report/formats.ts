import type { Document } from '../plan/plan-document.ts';
import { jsonDocument } from './escape.ts';
import type { View } from './report.ts';

/** Writes a document; the text ends with a newline unless it is empty. */
export type Renderer = (document: Document, view: View) => string;

export type Format =
  | 'text'
  | 'json'
  | 'markdown'
  | 'html'
  | 'github'
  | 'gitlab'
  | 'junit'
  | 'sarif';

/** The formats of `--report`; most are loaded when they are used. */
const RENDERERS: Readonly<Record<Format, () => Promise<Renderer>>> = {
  text: async () => (await import('./text/text.ts')).renderText,
  json: async () => jsonDocument,
  markdown: async () => (await import('./comment/comment.ts')).renderComment,
  html: async () => (await import('./page/page.ts')).renderPage,
  github: async () => (await import('./pipelines/pipelines.ts')).renderGithub,
  gitlab: async () => (await import('./pipelines/pipelines.ts')).renderGitlab,
  junit: async () => (await import('./pipelines/pipelines.ts')).renderJunit,
  sarif: async () => (await import('./pipelines/pipelines.ts')).renderSarif,
};

/** The formats of `--report`. */
export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/** Finds what renders a document in a format. */
export async function rendererOf(format: Format): Promise<Renderer> {
  return RENDERERS[format]();
}
