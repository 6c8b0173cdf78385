import { renderJson } from './json.ts';
import type { Renderer } from './report.ts';
import { renderText } from './text.ts';

/** Every format of `--report`; the flag, its help and its errors follow this table. */
export const RENDERERS = {
  text: renderText,
  json: renderJson,
} satisfies Record<string, Renderer>;

export type Format = keyof typeof RENDERERS;

/** The names of the formats, as people list them. */
export const FORMATS = Object.keys(RENDERERS).join(', ');

/** Whether a format has this name. */
export function isFormat(name: string): name is Format {
  return Object.hasOwn(RENDERERS, name);
}
