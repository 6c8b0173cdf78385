import { at, count, phrase } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import { toldApart } from '../../model/look-alike.ts';
import type {
  Shown,
  ShownField,
  ShownIntegration,
  ShownOption,
  ShownServer,
  ShownSide,
} from '../../show/show.ts';
import { visible } from '../escape.ts';
import { fieldName } from '../model/facts.ts';
import { folded, textOf } from '../model/text-diff.ts';
import { valueText } from '../model/value.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from './spans.ts';

/** How a field compares with what is desired. */
const MARKS = {
  differs: { mark: '~', tone: 'change' },
  hidden: { mark: '?', tone: 'risk' },
  unread: { mark: '?', tone: 'risk' },
  'as-desired': { mark: '=', tone: 'dim' },
  unknown: { mark: ' ', tone: 'dim' },
} as const;

/**
 * Integrations with their fields, and all that declares these. Servers with the
 * same to show share a block.
 */
export function renderShown({ servers }: Shown, view: View): string {
  const all = servers.flatMap((server) =>
    server.integrations.map((integration) => ({ server, integration })),
  );
  const alike = grouped(all, ({ server, integration }) =>
    JSON.stringify([integration, server.isRead]),
  );
  const blocks: string[][] = [];
  for (const group of alike.values()) {
    const [{ server, integration }] = group;
    const { name, id, status, errors } = integration;
    const on = group.map((member) => member.server.name).join(', ');
    const own = id ?? (server.isRead ? 'not installed' : name);
    const state = phrase(
      [
        servers.length > 1 && `on ${on}`,
        own !== name && own,
        status,
        errors !== undefined && count(errors, 'error'),
      ],
      ', ',
    );
    blocks.push(headLines(integration, state, view));
    blocks.push(fieldLines(integration, view));
  }
  const notes = notesOf(servers);
  blocks.push(notes.flatMap((note) => filled(visible(note), view.width)));
  return paragraphs(blocks);
}

/**
 * What is known of an integration itself; `state` says where it is, and how it
 * does.
 */
function headLines(
  integration: ShownIntegration,
  state: string,
  { paint, width }: View,
): string[] {
  const { name, displayName, acronym } = integration;
  const more = phrase([displayName, acronym && `(${acronym})`], '  ');
  const lines = [phrase([paint.strong(visible(name)), visible(more)], '  ')];
  for (const text of [state, entriesText(integration)]) {
    if (text !== '') lines.push(...filled(visible(text), width, 2));
  }
  return lines;
}

/** The entries that declare an integration. */
function entriesText({ entries }: ShownIntegration): string {
  if (entries.length === 0) return 'declared by no entry';
  const texts = entries.map(({ entry, isDefault, source }) => {
    const kind = isDefault ? ' (defaults)' : '';
    return `${entry}${kind} ${source.file}:${source.line}`;
  });
  return `declared by ${texts.join(', ')}`;
}

/** Each field, what declares it, and below an option its type. */
function fieldLines(integration: ShownIntegration, view: View): string[] {
  const { name, autosubscribe, options } = integration;
  const lines: string[] = [];
  if (autosubscribe) lines.push(...oneField(autosubscribe, name, view));
  for (const option of options) {
    const { value, permission } = option;
    if (value) lines.push(...oneField(value, name, view));
    if (permission) lines.push(...oneField(permission, name, view));
    const about = visible(aboutText(option));
    if (about === '') continue;
    lines.push(...filled(about, view.width, 6).map(view.paint.dim));
  }
  return lines;
}

/** A field with its sides, and all that declares it, the last word first. */
function oneField(
  field: ShownField,
  integration: string,
  view: View,
): string[] {
  const { address, state = 'unknown', origins } = field;
  const { width, paint } = view;
  const { mark, tone } = MARKS[state];
  const text = `${fieldName(address, integration)}  ${sidesText(field, view)}`;
  const lines = filled(visible(text), width, 6, `  ${paint[tone](mark)} `);
  for (const origin of origins.toReversed()) {
    const { entry, isDefault, source, declared, wins, values } = origin;
    const said = declared
      ? shortText(sideText(declared), view)
      : 'null: not managed from here on';
    const owner = `  (${isDefault ? 'defaults: ' : ''}${entry})`;
    const end = entry === integration ? '' : owner;
    const words = visible(`${at(source)}  ${said}${end}`);
    lines.push(...filled(words, width, 8, `    ${wins ? '>' : ' '} `));
    for (const value of values) {
      const place = at(value.source);
      lines.push(visible(`        value ${value.name}  ${place}`));
    }
  }
  return lines;
}

/** What is live, and what is desired if that is another. */
function sidesText({ live, desired, state }: ShownField, view: View): string {
  const isTold = live !== undefined && state === 'as-desired';
  const known = [live, isTold ? undefined : desired];
  const sides = known.flatMap((side) => (side ? sideText(side) : []));
  // Two secrets that differ both read as a secret.
  const shown = state === 'differs' ? sides : [...new Set(sides)];
  const texts = toldApart(shown).map((text) => shortText(text, view));
  return texts.join(' -> ');
}

/** A value; of a long one its start, and its length. */
function shortText(text: string, { full }: View): string {
  return full ? text : textOf(folded([{ mark: '+', text }]));
}

function sideText({ value, secret, hidden, reference }: ShownSide): string {
  if (hidden === true) return '(hidden)';
  if (value !== null) return valueText(value);
  if (reference !== undefined) return reference;
  return secret === true ? '(secret)' : '(not set)';
}

/** The type of an option, its choices and its title. */
function aboutText({
  type,
  multiple,
  choices = [],
  title,
}: ShownOption): string {
  const kind = multiple === true ? 'multi-select' : type;
  const values = choices.map(({ value }) => value).join(', ');
  return phrase([phrase([kind, values && `of ${values}`]), title], '; ');
}

/** What the marks mean; servers that lack it or were not read. */
function notesOf(servers: readonly ShownServer[]): string[] {
  const lacking: string[] = [];
  const unread: string[] = [];
  for (const { name, isRead, integrations } of servers) {
    if (integrations.length === 0) lacking.push(name);
    if (!isRead) unread.push(name);
  }
  const notes: string[] = [];
  if (lacking.length < servers.length) {
    notes.push(
      '~ differs, = as desired, ? cannot be compared, > declaration that counts',
    );
    if (lacking.length > 0) notes.push(`Not on ${lacking.join(', ')}.`);
  }
  if (unread.length > 0) {
    const names = unread.join(', ');
    const remedy =
      'Live values need a server that answers, and a login, such as SETPOINT_TOKEN.';
    notes.push(`Not read: ${names}. ${remedy}`);
  }
  return notes;
}
