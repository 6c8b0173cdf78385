import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { Shown, ShownField, ShownIntegration, ShownOption, ShownServer } from '../../show/shown.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { briefly, fieldLines, hanging, indented, lineOf, STATES, sideText } from './show-field.ts';

/** Integrations with their options, or the declarations of fields; servers with the same to show share a block. */
export function renderShown({ servers, isAddress }: Shown, view: View): string {
  const all = servers.flatMap((server) => server.integrations.map((each) => ({ server, each })));
  const alike = grouped(all, ({ server, each }) => JSON.stringify([each, server.isRead]));
  const blocks = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const on =
      servers.length === 1 ? [] : [`on ${group.map(({ server }) => forTerminal(server.name)).join(', ')}`];
    const where = [...on, whereWords(first.each, first.server).join(', ')]
      .filter((text) => text !== '')
      .join(': ');
    return isAddress
      ? fieldsOf(first.each).map((field) => fieldLines(field, first.each.name, where, view))
      : [headLines(first.each, where, view), optionLines(first.each, view), totals(first.each)];
  });
  const notes = notesOf(servers).flatMap((note) => indented(note, 0, view));
  const texts = [...blocks, notes].filter((lines) => lines.length > 0);
  return texts.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function fieldsOf({ autosubscribe, options }: ShownIntegration): ShownField[] {
  const all = [autosubscribe, ...options.flatMap(({ value, permission }) => [value, permission])];
  return all.flatMap((field) => field ?? []);
}

function whereWords({ id, name, status, errors }: ShownIntegration, { isRead }: ShownServer): string[] {
  const known = id === undefined || id === name ? [] : [forTerminal(id)];
  return [
    ...(id === undefined && isRead ? ['not installed'] : known),
    ...(status === undefined ? [] : [forTerminal(status)]),
    ...(errors === undefined ? [] : [count(errors, 'error')]),
  ];
}

/** What is known of an integration itself. */
function headLines(shown: ShownIntegration, where: string, view: View): string[] {
  const { name, displayName, acronym, description, entries, autosubscribe } = shown;
  const called = [displayName, acronym && `(${acronym})`].flatMap((each) =>
    each ? [forTerminal(each)] : [],
  );
  const managed = entries.map(
    ({ entry, isDefault, source }) =>
      `${forTerminal(entry)}${isDefault ? ' (defaults)' : ''} ${lineOf(source)}`,
  );
  const flag = autosubscribe && [settingText(autosubscribe, view), ...placesOf([autosubscribe])];
  return [
    [view.paint.strong(forTerminal(name)), ...called].join('  '),
    ...(where === '' ? [] : indented(where, 2, view)),
    ...briefly(description, 2, view),
    ...indented(`managed by ${managed.length === 0 ? 'no entry' : managed.join(', ')}`, 2, view),
    ...(flag === undefined || flag[0] === '' ? [] : indented(`autosubscribe  ${flag.join('; ')}`, 2, view)),
  ];
}

/** Where fields are declared, or stop to be managed. */
function placesOf(fields: readonly (ShownField | undefined)[]): readonly string[] {
  const winners = fields.flatMap((field) => field?.origins.filter(({ wins }) => wins) ?? []);
  const texts = winners.map(
    ({ source, declared }) => `${declared ? '' : 'not managed since '}${lineOf(source)}`,
  );
  return [...new Set(texts)];
}

const STATE_NAMES = ['differs', 'hidden', 'unresolved', 'as-desired'] as const;

/** The worse of the states of its value and permission. */
function stateOf({ value, permission }: ShownOption) {
  return STATE_NAMES.find((state) => state === value?.state || state === permission?.state);
}

/** Each option: its value, then what is known of it, then what it is for. */
function optionLines({ options }: ShownIntegration, view: View): string[] {
  return options.flatMap((shown) => {
    const { option, type, multiple, value, permission, choices = [], title, description } = shown;
    const state = stateOf(shown);
    const kind = multiple === true ? 'multi-select' : forTerminal(type ?? '');
    const head = [view.paint.strong(forTerminal(option)), kind, value ? settingText(value, view) : ''];
    const facts = [
      permission === undefined ? '' : settingText(permission, view),
      choices.length === 0 ? '' : `choices ${choices.map((each) => forTerminal(each.value)).join(', ')}`,
      ...placesOf([value, permission]),
    ];
    const about = [title, description].filter(
      (each) => each !== undefined && each.toLowerCase() !== option.toLowerCase(),
    );
    return [
      ...hanging(filled(head).join('  '), `  ${state === undefined ? ' ' : STATES[state].mark} `, view),
      ...(filled(facts).length === 0 ? [] : indented(filled(facts).join('; '), 6, view)),
      ...briefly(about.join(': '), 6, view),
    ];
  });
}

function filled(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '');
}

/** What is live, then what is desired if it is another or nothing is known of the live side. */
function settingText({ live, desired, state }: ShownField, view: View): string {
  const [held, asked] = [live, desired].map((side) => side && sideText(side, view));
  if (held === undefined) return asked ?? '';
  const isSame = state === 'as-desired' || (asked === held && state !== 'differs');
  return asked === undefined || isSame ? held : `${held} -> ${asked}`;
}

/** How many options there are, and how they stand. */
function totals({ options }: ShownIntegration): string[] {
  const counts = STATE_NAMES.flatMap((name) => {
    const { length } = options.filter((option) => stateOf(option) === name);
    return length === 0 ? [] : [`${STATES[name].mark} ${length} ${STATES[name].words}`];
  });
  return [`${[count(options.length, 'option'), ...counts].join(', ')}.`];
}

/** Servers that lack what others have, and those that were not read. */
function notesOf(servers: readonly ShownServer[]): string[] {
  const without = servers.filter(({ integrations }) => integrations.length === 0);
  const unread = servers.filter(({ isRead }) => !isRead);
  const names = (some: readonly ShownServer[]) => some.map(({ name }) => forTerminal(name)).join(', ');
  return [
    ...(without.length === 0 || without.length === servers.length ? [] : [`Not on ${names(without)}.`]),
    ...(unread.length === 0 ? [] : [`Not read: ${names(unread)}. Only the configuration is shown.`]),
    ...(unread.some(({ lacksCredentials }) => lacksCredentials)
      ? ['With SETPOINT_TOKEN, or SETPOINT_USERNAME and SETPOINT_PASSWORD, show also says what is live.']
      : []),
  ];
}
