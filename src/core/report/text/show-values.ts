import type { DeclaredSide } from '../../diff/revision-diff.ts';
import { at, cut } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { asOptionValue } from '../../model/written.ts';
import type { ShownHead, ShownValue } from '../../show/shown.ts';
import { valueText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';

import { wrapWords } from '../wrap.ts';

/** How what is there is shown. */
export interface ShowView extends Pick<View, 'paint' | 'width'> {
  /** Values and descriptions in full. */
  readonly full: boolean;
}

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 60;

/** A value that a server or a catalog holds. */
export function heldText(held: ShownValue, view: ShowView): string {
  if (held.kind === 'shown') return folded(valueText(held.value), view);
  if (held.kind === 'unreadable') return `(unreadable: ${CANNOT_TELL[held.reason]})`;
  return held.kind === 'hidden' ? '(hidden)' : '(none)';
}

/** The same where there is little room. */
export function shortText(held: ShownValue, view: ShowView): string {
  return held.kind === 'unreadable' ? '(unreadable)' : heldText(held, view);
}

/** What a declaration asks for: its reference, else its value. */
export function declaredText({ value, reference }: DeclaredSide, view: ShowView): string {
  if (reference !== undefined) return folded(reference, view);
  return value === null ? '(hidden)' : folded(valueText(asOptionValue(value)), view);
}

/** A text on one line; of a long one or of several lines the beginning, and how long it is. */
function folded(text: string, { full }: ShowView): string {
  const { length } = [...text];
  if (full || (length <= LONGEST_VALUE && !text.includes('\n'))) return forTerminal(text);
  const lines = text.trimEnd().split('\n').length;
  const size = lines > 1 ? `${lines} lines` : `${length} characters`;
  return `${forTerminal(cut((text.split('\n')[0] ?? '').trimEnd(), '', LONGEST_VALUE))} (${size})`;
}

/** What is known of an integration itself, in words. */
export function headWords({
  id,
  status,
  errors,
  ...named
}: ShownHead & { readonly name?: string }): string[] {
  return [
    ...(id === undefined || id === named.name ? [] : [forTerminal(id)]),
    ...(status === undefined ? [] : [forTerminal(status)]),
    ...(errors === undefined ? [] : [`${errors} ${errors === 1 ? 'error' : 'errors'}`]),
  ];
}

/** A place as `file:line`. */
export function lineOf({ file, line }: Place): string {
  return forTerminal(`${file}:${line}`);
}

/** A place as `file:line:column`. */
export function placeText(place: Place): string {
  return forTerminal(at(place));
}

/** Words in indented lines. */
export function indented(text: string, indent: number, { width }: ShowView): string[] {
  return wrapWords(text.split(' '), width - indent).map((line) => `${' '.repeat(indent)}${line.trimEnd()}`);
}

/** The same where a paragraph may take several lines: those after the first one are indented by two more. */
export function hanging(text: string, indent: number, view: ShowView): string[] {
  const [first = '', ...rest] = indented(text, indent, { ...view, width: view.width - 2 });
  return [first, ...rest.map((line) => `  ${line}`)];
}

/** The most lines of a description. */
const LONGEST_DESCRIPTION = 2;

/** Foreign prose; of a long one the beginning. */
export function briefly(text: string, indent: number, view: ShowView): string[] {
  const lines = indented(forTerminal(text.replace(/\s+/g, ' ').trim()), indent, view);
  const { faint } = view.paint;
  if (view.full || lines.length <= LONGEST_DESCRIPTION) return lines.map(faint);
  const [last = '', ...before] = lines.slice(0, LONGEST_DESCRIPTION).reverse();
  const room = view.width - 2;
  const space = last.lastIndexOf(' ', room);
  const end = last.length <= room || space < indent ? room : space;
  return [...before.reverse(), `${last.slice(0, end)} …`].map(faint);
}

/** Why a field cannot be compared. */
const CANNOT_TELL = {
  masked: 'the server masks it',
  null: 'the server does not show it',
  absent: 'the server does not send it',
  empty: 'the server shows no password at all',
  form: 'the server sends it in a form that is not known',
  snapshot: 'the snapshot keeps it out',
  unresolved: 'its reference has no value here',
} as const;
