import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../findings/diagnostic.ts';
import { codePoint } from '../model/look-alike.ts';
import type { SourceFile } from '../model/place.ts';

/**
 * Characters that look like syntax where syntax may stand: before a text, and
 * behind a key.
 */
const LOOKALIKE =
  /(?:(?![ \t\r\ufeff])[\s“„＂‘‚＇［｛＃]|[‐-―−－](?=\s))(?<=(?:^|[:,[{-])\s{0,99}.)|[：﹕︓](?<=(?:^|[{,])[\s-]{0,99}["'\w.-]{1,128}\s{0,9}.)/;

/**
 * Names a character that looks like syntax in place of the problems of its
 * line: it is likely their cause.
 */
export function withLookalikes(
  { path, text }: SourceFile,
  problems: readonly Diagnostic[],
): Diagnostic[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const findings = problems.map((finding) => {
    const line = finding.place?.line ?? 0;
    const match = LOOKALIKE.exec(lines[line - 1] ?? '');
    if (match === null) return finding;
    const [character] = match;
    const problem = `YAML takes ${codePoint(character)} for text; write the ordinary character that it looks like.`;
    const place = { file: path, line, column: match.index + 1 };
    return diagnostic('yaml-syntax', { problem }, place);
  });
  return distinct(findings);
}
