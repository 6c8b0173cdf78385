import { at, count, cut } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { asOptionValue } from '../../model/written.ts';
import type {
  Shown,
  ShownField,
  ShownIntegration,
  ShownOption,
  ShownOrigin,
  ShownServer,
  ShownSide,
} from '../../show/shown.ts';
import { fieldName, valueText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';
import { fold } from './difference.ts';

/** How a field compares with what is desired. */
const STATES = {
  differs: { mark: '~', words: 'different' },
  hidden: { mark: '?', words: 'hidden' },
  unresolved: { mark: '?', words: 'reference not set' },
  'as-desired': { mark: '=', words: 'as desired' },
} as const;

const STATE_NAMES = ['differs', 'hidden', 'unresolved', 'as-desired'] as const;

/** Integrations with their fields; for an address with all that declares them. Servers with the same to show share a block. */
export function renderShown({ servers, isAddress }: Shown, view: View): string {
  const all = servers.flatMap((server) => server.integrations.map((each) => ({ server, each })));
  const alike = grouped(all, ({ server, each }) => JSON.stringify([each, server.isRead]));
  const blocks = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const on = servers.length === 1 ? [] : [`on ${group.map(({ server }) => server.name).join(', ')}`];
    const head = headLines(first.each, [...on, whereText(first.each, first.server)], view);
    return [head, fieldLines(first.each, isAddress, view), totals(first.each, isAddress)];
  });
  const notes = notesOf(servers).flatMap((note) => filled(forTerminal(note), view.width));
  return paragraphs([...blocks, notes]);
}

function whereText({ id, name, status, errors }: ShownIntegration, { isRead }: ShownServer): string {
  const own = id === name ? undefined : (id ?? (isRead ? 'not installed' : undefined));
  const counted = errors === undefined ? undefined : count(errors, 'error');
  return [own, status, counted].filter((text) => text !== undefined).join(', ');
}

/** What is known of an integration itself. */
function headLines(shown: ShownIntegration, where: readonly string[], view: View): string[] {
  const { name, displayName, acronym, description, entries } = shown;
  const called = [displayName, acronym && `(${acronym})`].flatMap((each) => (each ? forTerminal(each) : []));
  const managed = entries.map(
    ({ entry, isDefault, source }) =>
      `${entry}${isDefault ? ' (defaults)' : ''} ${source.file}:${source.line}`,
  );
  const lines = (text: string) => (text === '' ? [] : filled(forTerminal(text), view.width, 2));
  return [
    [view.paint.strong(forTerminal(name)), ...called].join('  '),
    ...lines(where.filter((text) => text !== '').join(': ')),
    ...prose(description, 2, view),
    ...lines(`managed by ${managed.join(', ') || 'no entry'}`),
  ];
}

/** Foreign prose; its beginning unless all is to be shown. */
function prose(text = '', indent: number, { width, full = false, paint }: View): string[] {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  const shown = forTerminal(full ? words : cut(words, '', width - indent - 1, 0));
  return filled(shown, width, indent).map(paint.faint);
}

/** Each field: what is live, what is desired, and where it is declared; below an option what it is for. */
function fieldLines(shown: ShownIntegration, isAddress: boolean, view: View): string[] {
  const { name, autosubscribe, options } = shown;
  const lines = (field?: ShownField) => (field ? oneField(field, name, isAddress, view) : []);
  return [
    ...lines(autosubscribe),
    ...options.flatMap((option) => [
      ...lines(option.value),
      ...lines(option.permission),
      ...prose(aboutText(option), 6, view),
    ]),
  ];
}

function oneField({ address, origins, ...field }: ShownField, name: string, isAddress: boolean, view: View) {
  const mark = field.state === undefined ? ' ' : STATES[field.state].mark;
  const winner = origins.find(({ wins }) => wins);
  const place =
    winner && `${winner.declared ? '' : 'not managed since '}${winner.source.file}:${winner.source.line}`;
  const parts = [fieldName(address, name), settingText(field, view), isAddress ? '' : place];
  const text = forTerminal(parts.filter((part) => part).join('  '));
  return [
    ...hanging(text, `  ${mark} `, view),
    ...(isAddress ? origins.toReversed().flatMap((origin) => originLines(origin, name, view)) : []),
    ...(isAddress && origins.length === 0 ? ['      not managed'] : []),
  ];
}

/** What is live, then what is desired if it is another or nothing is known of the live side. */
function settingText({ live, desired, state }: Omit<ShownField, 'address' | 'origins'>, view: View): string {
  const [held, asked] = [live, desired].map((side) => side && sideText(side, view));
  if (held === undefined || asked === undefined) return held ?? asked ?? '';
  const isSame = state === 'as-desired' || (asked === held && state !== 'differs');
  return isSame ? held : `${held} -> ${asked}`;
}

function sideText({ value, secret, hidden, reference }: ShownSide, { full = false }: View): string {
  if (hidden === true) return '(hidden)';
  if (value === null) return reference ?? (secret === true ? '(secret)' : '(not set)');
  return fold(valueText(asOptionValue(value)), undefined, full);
}

function originLines(origin: ShownOrigin, integration: string, view: View): string[] {
  const { source, declared, wins, entry, isDefault, values } = origin;
  const text = declared === undefined ? 'null: not managed from here on' : sideText(declared, view);
  const of = entry === integration ? '' : `  (${isDefault ? 'defaults: ' : ''}${entry})`;
  const named = values.map((each) => `        value ${each.name}  ${at(each.source)}`);
  return [
    ...hanging(forTerminal(`${at(source)}  ${text}${of}`), `    ${wins ? '>' : ' '} `, view),
    ...named.map(forTerminal),
  ];
}

/** Words behind a mark; further lines are indented below them. */
function hanging(text: string, mark: string, { width }: View): string[] {
  const [first = '', ...rest] = filled(text, width, mark.length);
  return [`${mark}${first.trimStart()}`, ...rest.map((line) => `  ${line}`)];
}

/** The type of an option, its choices, and what it is for. */
function aboutText({ option, type, multiple, choices = [], title, description }: ShownOption): string {
  const kind = multiple === true ? 'multi-select' : type;
  const among = choices.length === 0 ? '' : ` of ${choices.map(({ value }) => value).join(', ')}`;
  const words = [title, description].filter((each) => each && each.toLowerCase() !== option.toLowerCase());
  return [`${kind ?? ''}${among}`, words.join(': ')].filter((part) => part !== '').join('; ');
}

/** How many options an integration has, and how the fields stand; nothing if none was compared. */
function totals({ autosubscribe, options }: ShownIntegration, isAddress: boolean): string[] {
  const fields = [autosubscribe, ...options.flatMap(({ value, permission }) => [value, permission])];
  const counts = STATE_NAMES.flatMap((name) => {
    const { length } = fields.filter((field) => field?.state === name);
    return length === 0 ? [] : [`${STATES[name].mark} ${length} ${STATES[name].words}`];
  });
  const all = [...(isAddress ? [] : [count(options.length, 'option')]), ...counts];
  return all.length === 0 ? [] : [`${all.join(', ')}.`];
}

/** Servers that lack what others have, and those that were not read. */
function notesOf(servers: readonly ShownServer[]): string[] {
  const without = servers.filter(({ integrations }) => integrations.length === 0);
  const unread = servers.filter(({ isRead }) => !isRead);
  const names = (some: readonly ShownServer[]) => some.map(({ name }) => name).join(', ');
  return [
    ...(without.length === 0 || without.length === servers.length ? [] : [`Not on ${names(without)}.`]),
    ...(unread.length === 0 ? [] : [`Not read: ${names(unread)}. Only the configuration is shown.`]),
    ...(unread.some(({ lacksCredentials }) => lacksCredentials)
      ? ['With SETPOINT_TOKEN, or SETPOINT_USERNAME and SETPOINT_PASSWORD, show also says what is live.']
      : []),
  ];
}
