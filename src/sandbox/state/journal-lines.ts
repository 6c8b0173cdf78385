import { createHash } from 'node:crypto';
import { isRecord } from '../json.ts';
import type { IntegrationChange } from './integration-state.ts';

/** The first line of a data file. */
const HEADER = JSON.stringify({ format: 'setpoint-sandbox', version: 1 });

/** Lines that follow each other, and the checksum on which the next one builds. */
export interface Lines {
  readonly text: string;
  readonly checksum: string;
}

/** What a data file holds, or the line (from 1) from which on it is not what was written. */
export type DecodedLines =
  | { readonly changes: readonly IntegrationChange[] }
  | { readonly damagedLine: number };

/** The first line of a data file. */
export function headerLine(): Lines {
  return sealed('', HEADER);
}

/** The line of one change. It can only stand behind the line with the given checksum. */
export function changeLine(previous: string, change: IntegrationChange): Lines {
  return sealed(previous, JSON.stringify(change));
}

/**
 * Decodes a data file. Behind the last line break can stand the beginning of one line, from a write that a kill cut short
 * and nobody was told of: it is left out. Anything else that does not fit its checksum, or the line before it, is damage.
 */
export function decodeLines(text: string): DecodedLines {
  const pieces = text.split('\n');
  const tail = pieces.at(-1) ?? '';
  const lines = pieces.slice(0, -1);
  const changes: IntegrationChange[] = [];
  let checksum = '';
  for (const [index, line] of lines.entries()) {
    const content = line.slice(line.indexOf(' ') + 1);
    const expected = sealed(checksum, content);
    const change = expected.text === `${line}\n` ? decodeContent(content, index) : undefined;
    if (change === undefined) return { damagedLine: index + 1 };
    if (change !== 'header') changes.push(change);
    checksum = expected.checksum;
  }
  if (lines.length === 0) return { damagedLine: 1 };
  const last = sealed(checksum, tail.slice(tail.indexOf(' ') + 1));
  // A whole line that only lost its line break was acknowledged.
  const whole =
    last.text === `${tail}\n` ? decodeContent(tail.slice(tail.indexOf(' ') + 1), lines.length) : undefined;
  if (whole !== undefined && whole !== 'header') return { changes: [...changes, whole] };
  return isTorn(tail) ? { changes } : { damagedLine: lines.length + 1 };
}

/** Whether a text can be the beginning of one line, and of one only: inside JSON no brace stands behind a blank. */
function isTorn(tail: string): boolean {
  const content = tail.slice(17);
  if (!/^([0-9a-f]{0,16}|[0-9a-f]{16} (\{.*)?)$/s.test(tail) || / \{"/.test(content)) return false;
  return !isJson(content);
}

/** A whole content under a checksum that does not fit is damage, not the beginning of something. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decodeContent(content: string, index: number): IntegrationChange | 'header' | undefined {
  if (index === 0) return content === HEADER ? 'header' : undefined;
  const raw: unknown = JSON.parse(content);
  return isChange(raw) ? raw : undefined;
}

/** A line with a right checksum is one that this sandbox wrote; its id tells it from anything else. */
function isChange(raw: unknown): raw is IntegrationChange {
  return isRecord(raw) && typeof raw['id'] === 'string';
}

/** A line with its checksum, which covers the one of the line before it. */
function sealed(previous: string, content: string): Lines {
  const checksum = createHash('sha256').update(previous).update(content).digest('hex').slice(0, 16);
  return { text: `${checksum} ${content}\n`, checksum };
}
