import { cut } from '../findings/words.ts';
import { commandData, UNSAFE, visible } from './escape.ts';

/** The most characters of a foreign text in a span, of a line in a fence, and of a message. */
const LONGEST = 500;

/** Foreign text as a code span of Markdown: in one line, and no mention, link, HTML, or border of a cell. */
export function codeSpan(text: string): string {
  // A bar in a table ends its cell, in a code span too, and renderers differ in how it is escaped.
  const shown = cut(visible(text), '', LONGEST).replaceAll('|', '\\u{7c}');
  if (shown === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // One space at both ends is not part of the code.
  const space = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Foreign lines as a fenced block of Markdown, longer than every run of backticks in them. */
export function fenced(lines: readonly string[], language: string): string {
  const shown = lines.map((line) => cut(visible(line), '', LONGEST));
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return [`${fence}${language}`, ...shown, fence].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Foreign text as the message of a command of GitHub's runner. */
export function annotationMessage(text: string): string {
  return commandData(cut(visible(text), '', LONGEST));
}

/** Foreign text as a property of a command of GitHub's runner. */
export function annotationProperty(text: string): string {
  return commandData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Foreign text as a plain message of SARIF: it has no placeholder and no link. */
export function sarifText(text: string): string {
  return visible(text).replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] (');
}

/** A foreign path as a relative reference of a URI, or as one of a file if it is absolute. */
export function uriOf(path: string): string {
  const uri = encodeURI(Buffer.from(path).toString()).replace(/[?#:]/g, encodeURIComponent);
  return path.startsWith('/') ? `file://${uri}` : uri;
}

/** A document of JSON in which nothing is invisible: what JSON leaves bare is escaped. Ends with a newline. */
export function jsonDocument(document: object): string {
  const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = (found: string) => (found === '\n' ? found : found.split('').map(unit).join(''));
  return `${JSON.stringify(document, null, 2).replace(UNSAFE, escaped)}\n`;
}
