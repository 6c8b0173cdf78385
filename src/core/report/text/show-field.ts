import { at, cut } from '../../findings/words.ts';
import { effectOf, isPermission } from '../../model/permission.ts';
import type { Place } from '../../model/place.ts';
import { asOptionValue } from '../../model/written.ts';
import type { ShownField, ShownOrigin, ShownSide } from '../../show/shown.ts';
import { valueText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { wrapWords } from '../wrap.ts';

/** How a field compares with what is desired. */
export const STATES = {
  differs: { mark: '~', words: 'differs' },
  hidden: { mark: '?', words: 'hidden' },
  unresolved: { mark: '?', words: 'reference not set' },
  'as-desired': { mark: '=', words: 'as desired' },
} as const;

/** A field: what is live, and all that declares it, the last word first. */
export function fieldLines(
  { address, live, state, origins }: ShownField,
  integration: string,
  where: string,
  view: View,
): string[] {
  const words = state === undefined || state === 'hidden' ? '' : `  [${STATES[state].words}]`;
  return [
    view.paint.strong(forTerminal(address)),
    ...(where === '' ? [] : indented(where, 2, view)),
    ...(live === undefined ? [] : indented(`live  ${sideText(live, view)}${words}`, 2, view)),
    ...(origins.length === 0 ? ['  not managed'] : []),
    ...origins.toReversed().flatMap((origin) => originLines(origin, integration, view)),
  ];
}

function originLines(
  { source, declared, wins, entry, isDefault, values }: ShownOrigin,
  integration: string,
  view: View,
): string[] {
  const text = declared === undefined ? 'null: not managed from here on' : sideText(declared, view);
  const of = entry === integration ? '' : `  (${isDefault ? 'defaults: ' : ''}${forTerminal(entry)})`;
  return [
    ...hanging(`${forTerminal(at(source))}  ${text}${of}`, `  ${wins ? view.paint.strong('>') : ' '} `, view),
    ...values.map((each) => `      value ${forTerminal(each.name)}  ${forTerminal(at(each.source))}`),
  ];
}

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 60;

/** A value on one line; of a long one the beginning, and how long it is. */
export function sideText({ value, secret, hidden, reference }: ShownSide, { full }: View): string {
  if (hidden === true) return '(hidden)';
  if (reference !== undefined && value === null) return forTerminal(reference);
  if (value === null) return secret === true ? '(secret)' : '(not set)';
  if (typeof value === 'string' && isPermission(value)) return `${value} (${effectOf(value)})`;
  const text = valueText(asOptionValue(value));
  const lines = text.trimEnd().split('\n');
  if (full === true || (lines.length === 1 && text.length <= LONGEST_VALUE)) return forTerminal(text);
  const size = lines.length > 1 ? `${lines.length} lines` : `${text.length} characters`;
  return `${forTerminal(cut((lines[0] ?? '').trimEnd(), '', LONGEST_VALUE))} (${size})`;
}

/** The first two lines of foreign prose. */
export function briefly(text: string | undefined, indent: number, view: View): string[] {
  if (text === undefined || text === '') return [];
  const prose = forTerminal(text.replace(/\s+/g, ' ').trim());
  const lines = indented(prose, indent, { width: view.width - 2 });
  const shown = view.full || lines.length <= 2 ? lines : [...lines.slice(0, 1), `${lines[1]} …`];
  return shown.map(view.paint.faint);
}

/** A place as `file:line`. */
export function lineOf({ file, line }: Place): string {
  return forTerminal(`${file}:${line}`);
}

/** Words in indented lines; an arrow stays with what it leads to. */
export function indented(text: string, indent: number, { width }: Pick<View, 'width'>): string[] {
  const lines = wrapWords(text.split(/(?<!->) /), width - indent);
  return lines.map((line) => `${' '.repeat(indent)}${line.trimEnd()}`);
}

/** Words behind a mark of four columns; further lines are indented by six. */
export function hanging(text: string, mark: string, view: Pick<View, 'width'>): string[] {
  const [first = '', ...rest] = indented(text, 6, view);
  return [`${mark}${first.trimStart()}`, ...rest];
}
