import type { Document } from '../plan/plan.ts';
import { jsonDocument } from './escape.ts';
import type { View } from './report.ts';

/** The formats of `--report`. */
export const FORMATS = ['text', 'json', 'html', 'markdown', 'github', 'gitlab', 'junit', 'sarif'] as const;

export type Format = (typeof FORMATS)[number];

/** Renders a document. The text ends with a newline unless it is empty. */
type Renderer = (document: Document, view: View) => string;

/** How each format is rendered. Most are loaded when they are used. */
export const RENDERERS: Readonly<Record<Format, () => Renderer | Promise<Renderer>>> = {
  text: async () => (await import('./text/plan.ts')).renderText,
  json: () => jsonDocument,
  html: async () => (await import('./page/markup.ts')).renderHtml,
  markdown: async () => (await import('./page/markup.ts')).renderMarkdown,
  github: async () => (await import('./ci/pipelines.ts')).renderGithub,
  gitlab: async () => (await import('./ci/pipelines.ts')).renderGitlab,
  junit: async () => (await import('./ci/pipelines.ts')).renderJunit,
  sarif: async () => (await import('./ci/pipelines.ts')).renderSarif,
};
