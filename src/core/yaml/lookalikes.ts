import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { codePoint } from '../model/look-alike.ts';
import type { SourceFile } from '../model/place.ts';

/** Characters that look like syntax where syntax may stand: before a text, and behind a key. */
const LOOKALIKE =
  /(?:(?![ \t\r\ufeff])[\s“„＂‘‚＇［｛＃]|[‐-―−－](?=\s))(?<=(?:^|[:,[{-])\s{0,99}.)|[：﹕︓](?<=(?:^|[{,])[\s-]{0,99}["'\w.-]{1,128}\s{0,9}.)/;

const NAMES: Readonly<Record<string, string>> = {
  '\u00a0': 'a no-break space',
  '：': 'a full-width colon',
  '–': 'an en dash',
  '“': 'a curly quote',
};

/** Names a character that looks like syntax in place of the problems of its line: it is likely their cause. */
export function withLookalikes(
  { path, text }: SourceFile,
  problems: readonly Diagnostic[],
): Diagnostic[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const findings = new Map<Diagnostic | number, Diagnostic>();
  for (const finding of problems) {
    const line = finding.place?.line ?? 0;
    const match = LOOKALIKE.exec(lines[line - 1] ?? '');
    if (match === null) {
      findings.set(finding, finding);
      continue;
    }
    const { 0: character, index } = match;
    const name = NAMES[character] ?? 'this character';
    const problem = `YAML takes ${name} (${codePoint(character)}) for text; write the ordinary one.`;
    const place = { file: path, line, column: index + 1 };
    findings.set(line, diagnostic('yaml-syntax', { problem }, place));
  }
  return [...findings.values()];
}
