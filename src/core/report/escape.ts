/**
 * Whatever moves the cursor, turns, hides or is no character, and `##[` and
 * `##vso[`: commands of CI runners anywhere.
 */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]|(?<=#)#(?=\w*\[)/gu;

/**
 * What makes a line a command of CI runners: the same, and `::` at its start,
 * colours and blanks aside.
 */
const COMMAND = /(?<=^(?:\s|\p{Cc}\[[\d;]*[mK])*:):|(?<=#)#(?=\w*\[)/gmu;

/**
 * Foreign text for a terminal line: nothing in it moves the cursor, changes
 * colour or direction, or hides.
 */
export function visible(text: string): string {
  return text.replace(UNSAFE, visibleForm);
}

/**
 * Foreign text for XML and HTML, between tags or in an attribute in double
 * quotes.
 */
export function forXml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Whole lines for a log: none is a command of a CI runner, however its fields
 * meet in it.
 */
export function forLog(lines: string): string {
  return lines.replace(COMMAND, visibleForm);
}

/** A text as the value of a command of GitHub's runner, on one line. */
export function commandData(text: string): string {
  return text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/**
 * A document of JSON in which nothing is invisible: what JSON leaves bare is
 * escaped. Ends with a newline.
 */
export function jsonDocument(document: object): string {
  const unit = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = (found: string) =>
    found === '\n' ? found : found.split('').map(unit).join('');
  return `${JSON.stringify(document, null, 2).replace(UNSAFE, escaped)}\n`;
}

function visibleForm(character: string): string {
  return (
    ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
};
