import { jsonDocument } from './escape-sinks.ts';
import type { Renderer } from './report.ts';
import { renderText } from './text/plan.ts';

/** Every format of `--report`. Most are loaded when they are used. */
export const RENDERERS = {
  text: () => renderText,
  json: () => jsonDocument,
  html: async () => (await import('./page/html.ts')).renderHtml,
  markdown: async () => (await import('./on-demand.ts')).renderMarkdown,
  github: async () => (await import('./on-demand.ts')).renderGithub,
  gitlab: async () => (await import('./on-demand.ts')).renderGitlab,
  junit: async () => (await import('./on-demand.ts')).renderJunit,
  sarif: async () => (await import('./on-demand.ts')).renderSarif,
} satisfies Record<string, () => Renderer | Promise<Renderer>>;

export type Format = keyof typeof RENDERERS;

/** The names of the formats. */
export const FORMATS = Object.keys(RENDERERS);

/** Whether a format has this name. */
export function isFormat(name: string): name is Format {
  return Object.hasOwn(RENDERERS, name);
}

/** The formats of every command; the others are for documents with changes, and for the findings of validate. */
export const OF_EVERY_COMMAND: ReadonlySet<Format> = new Set(['text', 'json']);
