import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import { forXml } from '../escape.ts';

/** The key of written markup: only this file has it, so no text is markup. */
const WRITTEN = Symbol('markup');

/** Markup that `html` wrote. */
export interface Markup {
  [WRITTEN]: string;
}

/**
 * A value of a template: texts are foreign; undefined and false are nothing.
 */
export type Part =
  | string
  | number
  | Markup
  | undefined
  | false
  | readonly Part[];

/**
 * Writes markup. Every value is escaped unless it is markup itself; in a tag a
 * value stands in double quotes.
 */
export function html(
  texts: TemplateStringsArray,
  ...parts: readonly Part[]
): Markup {
  let written = '';
  for (const [at, text] of texts.entries()) {
    written += text + textOf(parts[at]);
  }
  return { [WRITTEN]: written };
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part !== 'object') return forXml(String(part));
  if (WRITTEN in part) return part[WRITTEN];
  let written = '';
  for (const each of part) written += textOf(each);
  return written;
}

/** Values with something between each two. */
export function joined(
  parts: readonly Part[],
  separator: string | Markup,
): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    if (all.length > 0) all.push(separator);
    all.push(part);
  }
  return all;
}

/**
 * Nothing but our style and script, by their hashes: a page asks for nothing.
 */
const POLICY = [
  "default-src 'none'",
  `style-src '${reportStyle.hash}'`,
  `script-src '${reportScript.hash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const STYLE: Markup = { [WRITTEN]: reportStyle.text };
const SCRIPT: Markup = { [WRITTEN]: reportScript.text };

/** Writes a page that needs nothing from elsewhere. */
export function htmlDocument(title: string, body: Markup): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title><style>${STYLE}</style></head>
<body>${body}<script>${SCRIPT}</script></body></html>
`;
  return page[WRITTEN];
}
