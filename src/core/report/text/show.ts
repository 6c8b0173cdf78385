import { at, count, cut } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type {
  Shown,
  ShownField,
  ShownIntegration,
  ShownServer,
  ShownSide,
} from '../../show/show.ts';
import { fieldName, valueText } from '../change.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, fold, paragraphs } from '../wrap.ts';

/** How a field compares with what is desired. */
const MARKS = {
  differs: '~',
  hidden: '?',
  unresolved: '?',
  'as-desired': '=',
} as const;

/** How live values are shown. */
interface ShowView extends View {
  /** The names of the servers that no credentials are set for. */
  readonly withoutCredentials?: readonly string[] | undefined;
}

/** Integrations with their fields, and all that declares these. Servers with the same to show share a block. */
export function renderShown({ servers }: Shown, view: ShowView): string {
  const all = servers.flatMap((server) =>
    server.integrations.map((each) => ({ server, each })),
  );
  const alike = grouped(all, ({ server, each }) =>
    JSON.stringify([each, server.isRead]),
  );
  const blocks = [...alike.values()].flatMap((group) => {
    const [{ each, server }] = group;
    const on =
      servers.length === 1
        ? []
        : [`on ${namesOf(group.map((one) => one.server))}`];
    return [headLines(each, on, server.isRead, view), fieldLines(each, view)];
  });
  return paragraphs([
    ...blocks,
    notesOf(servers, view).flatMap((note) => filled(note, view.width)),
  ]);
}

function namesOf(servers: readonly ShownServer[]): string {
  return servers.map(({ name }) => visible(name)).join(', ');
}

/** What is known of an integration itself. */
function headLines(
  shown: ShownIntegration,
  on: readonly string[],
  isRead: boolean,
  view: View,
): string[] {
  const {
    name,
    id,
    status,
    errors,
    displayName,
    acronym,
    description,
    entries,
  } = shown;
  const own = id ?? (isRead ? 'not installed' : name);
  const where = [
    ...on,
    own === name ? '' : own,
    status,
    errors === undefined ? '' : count(errors, 'error'),
  ];
  const managed = entries.map(
    ({ entry, isDefault, source }) =>
      `${entry}${isDefault ? ' (defaults)' : ''} ${source.file}:${source.line}`,
  );
  const called = [displayName, acronym && `(${acronym})`].flatMap((each) =>
    each ? visible(each) : [],
  );
  const below = [
    joined(where, ', '),
    `managed by ${managed.join(', ') || 'no entry'}`,
  ];
  return [
    [view.paint.strong(visible(name)), ...called].join('  '),
    ...below.flatMap((text) =>
      text === '' ? [] : filled(visible(text), view.width, 2),
    ),
    ...prose(description, 2, view),
  ];
}

function joined(
  parts: readonly (string | undefined)[],
  separator: string,
): string {
  return parts.filter((part) => part).join(separator);
}

/** Foreign prose; its beginning unless all is to be shown. */
function prose(
  text = '',
  indent: number,
  { width, full = false, paint }: View,
): string[] {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  const shown = visible(full ? words : cut(words, '', width - indent - 1, 0));
  return filled(shown, width, indent).map(paint.faint);
}

/** Each field, what declares it, and below an option what it is for. */
function fieldLines(
  { name, autosubscribe, options }: ShownIntegration,
  view: View,
): string[] {
  const lines = (field?: ShownField) =>
    field ? oneField(field, name, view) : [];
  return [
    ...lines(autosubscribe),
    ...options.flatMap((option) => [
      ...lines(option.value),
      ...lines(option.permission),
      ...prose(aboutText(option), 6, view),
    ]),
  ];
}

/** A field: what is live, what is desired if that is another, and all that declares it, the last word first. */
function oneField(
  { address, live, desired, state, origins }: ShownField,
  name: string,
  view: View,
): string[] {
  const { width } = view;
  const mark = state ? MARKS[state] : ' ';
  const sides = [live, desired].flatMap((side) =>
    side ? sideText(side, view) : [],
  );
  const shown =
    state === 'as-desired'
      ? sides.slice(0, 1)
      : state === 'differs'
        ? sides
        : [...new Set(sides)];
  return [
    ...filled(
      visible(`${fieldName(address, name)}  ${shown.join(' -> ')}`),
      width,
      6,
      `  ${mark} `,
    ),
    ...origins
      .toReversed()
      .flatMap((origin) => originLines(origin, name, view)),
  ];
}

function sideText(
  { value, secret, hidden, reference }: ShownSide,
  { full }: View,
): string {
  if (hidden === true) return '(hidden)';
  if (value === null)
    return reference ?? (secret === true ? '(secret)' : '(not set)');
  return fold(valueText(value), undefined, full);
}

function originLines(
  origin: ShownField['origins'][number],
  integration: string,
  view: View,
): string[] {
  const { source, declared, wins, entry, isDefault, values } = origin;
  const text =
    declared === undefined
      ? 'null: not managed from here on'
      : sideText(declared, view);
  const of =
    entry === integration ? '' : `  (${isDefault ? 'defaults: ' : ''}${entry})`;
  return [
    ...filled(
      visible(`${at(source)}  ${text}${of}`),
      view.width,
      8,
      `    ${wins ? '>' : ' '} `,
    ),
    ...values.map((each) =>
      visible(`        value ${each.name}  ${at(each.source)}`),
    ),
  ];
}

/** The type of an option, its choices, and what it is for. */
function aboutText(shown: ShownIntegration['options'][number]): string {
  const { option, type, multiple, choices = [], title, description } = shown;
  const kind = multiple === true ? 'multi-select' : type;
  const among =
    choices.length === 0
      ? ''
      : `of ${choices.map(({ value }) => value).join(', ')}`;
  const called = title?.toLowerCase() === option.toLowerCase() ? '' : title;
  return joined(
    [joined([kind, among], ' '), joined([called, description], ': ')],
    '; ',
  );
}

/** Servers that lack what others have, and those without credentials. */
function notesOf(
  servers: readonly ShownServer[],
  { withoutCredentials = [] }: ShowView,
): string[] {
  const without = servers.filter(
    ({ integrations }) => integrations.length === 0,
  );
  // If a server failed, a finding says why.
  const unread = servers.filter(({ name }) =>
    withoutCredentials.includes(name),
  );
  const isFound = without.length < servers.length;
  return [
    ...(isFound
      ? [
          '~ differs, = as desired, ? cannot be compared, > declaration that counts',
        ]
      : []),
    ...(isFound && without.length > 0 ? [`Not on ${namesOf(without)}.`] : []),
    ...(unread.length === 0
      ? []
      : [
          `Not read: ${namesOf(unread)}. Set SETPOINT_TOKEN to see live values.`,
        ]),
  ];
}
