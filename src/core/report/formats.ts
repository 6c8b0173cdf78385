import { renderJson } from './json.ts';
import type { Renderer } from './report.ts';
import { renderText } from './text/text.ts';

/** Every format of `--report`; the flag, its help and its errors follow this table. Most are loaded when they are asked for. */
export const RENDERERS = {
  text: () => renderText,
  json: () => renderJson,
  html: async () => (await import('./html/html.ts')).renderHtml,
  markdown: async () => (await import('./on-demand.ts')).renderMarkdown,
  github: async () => (await import('./on-demand.ts')).renderGithub,
  gitlab: async () => (await import('./on-demand.ts')).renderGitlab,
  junit: async () => (await import('./on-demand.ts')).renderJunit,
  sarif: async () => (await import('./on-demand.ts')).renderSarif,
} satisfies Record<string, () => Renderer | Promise<Renderer>>;

export type Format = keyof typeof RENDERERS;

/** The formats that tell where files are from the root of a repository. */
export const FROM_ROOT: ReadonlySet<Format> = new Set(['json', 'github', 'gitlab', 'junit', 'sarif']);

/** The names of the formats, as people list them. */
export const FORMATS = Object.keys(RENDERERS).join(', ');

/** Whether a format has this name. */
export function isFormat(name: string): name is Format {
  return Object.hasOwn(RENDERERS, name);
}
