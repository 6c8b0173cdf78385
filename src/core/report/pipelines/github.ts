import type { Severity } from '../../findings/entry.ts';
import { count, cut } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Document } from '../../plan/plan.ts';
import { commandData, visible } from '../escape.ts';
import { type Remark, remarksOf, remarkText } from './remarks.ts';

/** GitHub's words for how severe a remark is. */
const COMMANDS = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
} as const satisfies Record<Severity, string>;

/** GitHub's runner shows so many annotations of a level in a step. */
const SHOWN_AT_MOST = 10;

/** The most characters of the message of an annotation. */
const LONGEST_MESSAGE = 500;

/**
 * Annotations of GitHub's runner, the most severe first, and a count of those
 * that it would drop of a level. Ends with a newline unless it is empty.
 */
export function renderGithub(document: Document): string {
  const alike = grouped(remarksOf(document), (remark) => {
    const { level, code, place, message } = remark;
    return JSON.stringify([level, code, place, message]);
  });
  const byLevel = grouped([...alike.values()], ([{ level }]) => level);
  const lines: string[] = [];
  for (const [level, own] of byLevel) {
    lines.push(...own.slice(0, SHOWN_AT_MOST).map(annotation));
    const left = own.length - SHOWN_AT_MOST;
    if (left <= 0) continue;
    const more = count(left, `more ${COMMANDS[level]}`);
    lines.push(`${more} without an annotation.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** An annotation for remarks that say the same at one place. */
function annotation(remarks: readonly [Remark, ...Remark[]]): string {
  const [remark] = remarks;
  const { level, code, title, place } = remark;
  const names = new Set(remarks.flatMap((each) => each.names));
  const servers = new Set(remarks.flatMap((each) => each.servers));
  const all = { ...remark, names: [...names], servers: [...servers] };
  const properties = [`title=${property(`${title} (${code})`)}`];
  if (place !== undefined) {
    const { file, line, column } = place;
    properties.unshift(`file=${property(file)},line=${line},col=${column}`);
  }
  const data = cut(visible(remarkText(all)), '', LONGEST_MESSAGE);
  return `::${COMMANDS[level]} ${properties.join(',')}::${commandData(data)}`;
}

function property(text: string): string {
  return commandData(visible(text))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}
