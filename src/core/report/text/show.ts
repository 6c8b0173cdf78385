import { at, count, cut } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { toldApart } from '../../model/look-alike.ts';
import type {
  Shown,
  ShownEntry,
  ShownField,
  ShownIntegration,
  ShownOption,
  ShownOrigin,
  ShownServer,
  ShownSide,
} from '../../show/show.ts';
import { visible } from '../escape.ts';
import { fieldName } from '../model/facts.ts';
import { valueText } from '../model/sides.ts';
import type { Tone, View } from '../report.ts';
import { filled, fold, paragraphs } from '../wrap.ts';

interface FieldMark {
  readonly mark: string;
  readonly tone: Tone;
}

/** How a field compares with what is desired. */
const MARKS = {
  differs: { mark: '~', tone: 'change' },
  hidden: { mark: '?', tone: 'risk' },
  unresolved: { mark: '?', tone: 'risk' },
  'as-desired': { mark: '=', tone: 'faint' },
} as const satisfies Record<NonNullable<ShownField['state']>, FieldMark>;

const NO_MARK: FieldMark = { mark: ' ', tone: 'faint' };

/** How live values are shown. */
export interface ShowView extends View {
  /** The names of the servers that no credentials are set for. */
  readonly withoutCredentials?: readonly string[] | undefined;
}

/** An integration, and the server that it is on. */
interface ShownOn {
  readonly server: ShownServer;
  readonly integration: ShownIntegration;
}

/**
 * Integrations with their fields, and all that declares these. Servers with the
 * same to show share a block.
 */
export function renderShown({ servers }: Shown, view: ShowView): string {
  const all: ShownOn[] = [];
  for (const server of servers) {
    for (const integration of server.integrations) {
      all.push({ server, integration });
    }
  }
  const alike = grouped(all, ({ server, integration }) =>
    JSON.stringify([integration, server.isRead]),
  );
  const blocks: string[][] = [];
  for (const group of alike.values()) {
    const [{ server, integration }] = group;
    const on = group.map((member) => member.server);
    const where = servers.length === 1 ? '' : `on ${namesOf(on)}`;
    blocks.push(headLines(integration, where, server.isRead, view));
    blocks.push(fieldLines(integration, view));
  }
  const notes = notesOf(servers, view);
  blocks.push(notes.flatMap((note) => filled(note, view.width)));
  return paragraphs(blocks);
}

function namesOf(servers: readonly ShownServer[]): string {
  return servers.map(({ name }) => visible(name)).join(', ');
}

/** What is known of an integration itself. */
function headLines(
  integration: ShownIntegration,
  where: string,
  isRead: boolean,
  view: View,
): string[] {
  const { displayName, acronym, description } = integration;
  const title = [view.paint.strong(visible(integration.name))];
  if (displayName) title.push(visible(displayName));
  if (acronym) title.push(visible(`(${acronym})`));
  const lines = [title.join('  ')];
  const state = stateText(integration, where, isRead);
  for (const text of [state, entriesText(integration)]) {
    if (text !== '') lines.push(...filled(visible(text), view.width, 2));
  }
  return [...lines, ...prose(description, 2, view)];
}

/** Where an integration is, its id, and how it does. */
function stateText(
  { name, id, status, errors }: ShownIntegration,
  where: string,
  isRead: boolean,
): string {
  const own = id ?? (isRead ? 'not installed' : name);
  const failures = errors === undefined ? '' : count(errors, 'error');
  return joined([where, own === name ? '' : own, status, failures], ', ');
}

function entriesText({ entries }: ShownIntegration): string {
  const stop = nullOf(entries);
  if (stop !== undefined) {
    const { entry, source } = stop;
    return `managed by no entry: ${entry} is null at ${source.file}:${source.line}`;
  }
  if (entries.length === 0) return 'managed by no entry';
  const texts: string[] = [];
  for (const { entry, isDefault, isNull, source } of entries) {
    if (isNull) continue;
    const kind = isDefault ? ' (defaults)' : '';
    texts.push(`${entry}${kind} ${source.file}:${source.line}`);
  }
  return `managed by ${texts.join(', ')}`;
}

/** The null by which entries leave an integration alone; defaults yield to it. */
function nullOf(entries: readonly ShownEntry[]): ShownEntry | undefined {
  const specific = entries.filter(({ isDefault }) => !isDefault);
  const deciding = specific.length > 0 ? specific : entries;
  const isAlone = deciding.every(({ isNull }) => isNull);
  return isAlone ? deciding[0] : undefined;
}

function joined(
  parts: readonly (string | undefined)[],
  separator: string,
): string {
  return parts.filter((part) => part).join(separator);
}

/** Foreign prose; its beginning unless all is to be shown. */
function prose(text = '', indent: number, view: View): string[] {
  const { width, full = false, paint } = view;
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  const shown = visible(full ? words : cut(words, '', width - indent - 1, 0));
  return filled(shown, width, indent).map(paint.faint);
}

/** Each field, what declares it, and below an option what it is for. */
function fieldLines(integration: ShownIntegration, view: View): string[] {
  const { name, autosubscribe, options } = integration;
  const lines: string[] = [];
  if (autosubscribe) lines.push(...oneField(autosubscribe, name, view));
  for (const option of options) {
    const { value, permission } = option;
    if (value) lines.push(...oneField(value, name, view));
    if (permission) lines.push(...oneField(permission, name, view));
    lines.push(...prose(aboutText(option), 6, view));
  }
  return lines;
}

/** A field with its sides, and all that declares it, the last word first. */
function oneField(field: ShownField, name: string, view: View): string[] {
  const { address, state, origins } = field;
  const { mark, tone } = state === undefined ? NO_MARK : MARKS[state];
  const text = `${fieldName(address, name)}  ${sidesText(field, view)}`;
  const lead = `  ${view.paint[tone](mark)} `;
  const lines = filled(visible(text), view.width, 6, lead);
  for (const origin of origins.toReversed()) {
    lines.push(...originLines(origin, name, view));
  }
  const { rotated } = field;
  if (rotated !== undefined) {
    const place = at(rotated.source);
    const words = visible(`${place}  rotated ${rotated.day}`);
    lines.push(...filled(words, view.width, 8, '    > '));
  }
  return lines;
}

/** What is live, and what is desired if that is another. */
function sidesText(
  { live, desired, state }: ShownField,
  { full }: View,
): string {
  const sides: string[] = [];
  if (live !== undefined) sides.push(sideText(live));
  const isTold = live !== undefined && state === 'as-desired';
  if (desired !== undefined && !isTold) sides.push(sideText(desired));
  // Two secrets that differ both read as a secret.
  const shown = state === 'differs' ? sides : [...new Set(sides)];
  return toldApart(shown)
    .map((text) => fold(text, undefined, full))
    .join(' -> ');
}

function sideText({ value, secret, hidden, reference }: ShownSide): string {
  if (hidden === true) return '(hidden)';
  if (value !== null) return valueText(value);
  if (reference !== undefined) return reference;
  return secret === true ? '(secret)' : '(not set)';
}

/** A declaration: its place, what it says, and the values that it names. */
function originLines(
  origin: ShownOrigin,
  integration: string,
  view: View,
): string[] {
  const { source, declared, wins, values } = origin;
  const text =
    declared === undefined
      ? 'null: not managed from here on'
      : fold(sideText(declared), undefined, view.full);
  const lead = `    ${wins ? '>' : ' '} `;
  const words = `${at(source)}  ${text}${ownerText(origin, integration)}`;
  const lines = filled(visible(words), view.width, 8, lead);
  for (const { name, source: place } of values) {
    lines.push(visible(`        value ${name}  ${at(place)}`));
  }
  return lines;
}

/** The entry of a declaration, if it is not that of the integration. */
function ownerText(
  { entry, isDefault }: ShownOrigin,
  integration: string,
): string {
  if (entry === integration) return '';
  return `  (${isDefault ? 'defaults: ' : ''}${entry})`;
}

/** The type of an option, its choices, and what it is for. */
function aboutText(shown: ShownOption): string {
  const { option, type, multiple, choices = [], title, description } = shown;
  const kind = multiple === true ? 'multi-select' : type;
  const values = choices.map(({ value }) => value).join(', ');
  const among = values === '' ? '' : `of ${values}`;
  const called = title?.toLowerCase() === option.toLowerCase() ? '' : title;
  const form = joined([kind, among], ' ');
  return joined([form, joined([called, description], ': ')], '; ');
}

/** What the marks mean; servers that lack it or were not read. */
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
  const notes: string[] = [];
  if (without.length < servers.length) {
    notes.push(
      '~ differs, = as desired, ? cannot be compared, > declaration that counts',
    );
    if (without.length > 0) notes.push(`Not on ${namesOf(without)}.`);
  }
  if (unread.length > 0) {
    const names = namesOf(unread);
    notes.push(`Not read: ${names}. Set SETPOINT_TOKEN to see live values.`);
  }
  return notes;
}
