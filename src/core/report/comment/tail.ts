import { count, cut } from '../../findings/words.ts';
import type { Cause } from '../model/cause.ts';
import { filesText } from '../model/files.ts';
import type { Left, LeftIntegration, LeftOn } from '../model/left.ts';
import type { Model } from '../model/model.ts';
import { causeText, errorsOf, warningsOf } from './findings-text.ts';
import { MOST_ERRORS } from './head.ts';
import { folded, nameCode, nameList } from './inline.ts';
import type { Room } from './piece.ts';
import { sentence } from './sentence.ts';
import { manyServersTable, unchangedText } from './servers.ts';
import { hasLinks, serverNames } from './where.ts';

/** The most characters in a fold. */
const LONGEST_FOLD = 3_000;

/** How many lines a reader sees of a finding. */
const FINDING_LINES = 2;

/** Findings that are not at the top: open if there is room for all. */
export function findingBlocks(model: Model, room: Room): string[] {
  const blocks: string[] = [];
  const errors = errorsOf(model).slice(MOST_ERRORS);
  const warnings = warningsOf(model);
  if (errors.length > 0) {
    blocks.push(
      findingList({ noun: 'more error', causes: errors }, model, room),
    );
  }
  if (warnings.length > 0) {
    blocks.push(
      findingList({ noun: 'warning', causes: warnings }, model, room),
    );
  }
  return blocks;
}

/** Findings of one kind. */
interface FindingGroup {
  readonly noun: string;
  readonly causes: readonly Cause[];
}

function findingList(
  { noun, causes }: FindingGroup,
  model: Model,
  room: Room,
): string {
  const title = count(causes.length, noun);
  const lines = causes.map((cause) => `- ${causeText(cause, model)}`);
  const list = listText(lines);
  const height = causes.length * FINDING_LINES;
  if (height <= room.lines) {
    room.lines -= height;
    return `#### ${title}\n\n${list}`;
  }
  return folded(`${title}: ${codeCounts(causes)}`, list);
}

/** How many causes each code has. */
function codeCounts(causes: readonly Cause[]): string {
  const counts = new Map<string, number>();
  for (const { code } of causes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const texts: string[] = [];
  for (const [code, number] of counts) {
    texts.push(number === 1 ? code : `${code} (${number})`);
  }
  return texts.join(', ');
}

/** Lines as far as a fold takes them, and a count of the others. */
function listText(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > LONGEST_FOLD) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`- and ${more} more`);
  return shown.join('\n');
}

/** What nobody needs to read: folds, servers without changes, the date. */
export function tailBlocks(model: Model): string[] {
  const blocks = model.left.map((left) => leftFold(left, model));
  const servers = manyServersTable(model);
  if (servers !== undefined) {
    const [head = '', border = '', ...rows] = servers.split('\n');
    const table = [head, border, listText(rows)].join('\n');
    blocks.push(folded('Changes by server', table));
  }
  const files = filesFold(model);
  if (files !== undefined) blocks.push(files);
  const unchanged = unchangedText(model);
  if (unchanged !== undefined) blocks.push(unchanged);
  if (model.pair !== undefined) {
    blocks.push(`${count(model.pair.equal, 'field')} equal.`);
  }
  blocks.push(`<sub>${footer(model)}</sub>`);
  return blocks;
}

function leftFold({ words, fields, integrations }: Left, model: Model): string {
  const lines = integrations.map((integration) => leftLine(integration, model));
  const title = `${count(fields, 'field')} ${words}`;
  return folded(title, listText(lines));
}

/** The most fields of an integration. */
const MOST_FIELDS = 12;

function leftLine({ name, fields }: LeftIntegration, model: Model): string {
  const shown = fields
    .slice(0, MOST_FIELDS)
    .map((left) => leftText(left, model));
  const more = fields.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return `- ${nameCode(name)}: ${shown.join(', ')}`;
}

/** A field with its servers, and the waiver or the references. */
function leftText(
  { field, servers, waiver, reference }: LeftOn,
  { document }: Model,
): string {
  const remarks: string[] = [];
  if (servers.length > 0) remarks.push(serverNames(servers, document));
  if (waiver !== undefined) {
    const { until, reason } = waiver;
    remarks.push(sentence(`until ${until}`));
    if (reason !== undefined) remarks.push(sentence(reason));
  }
  if (reference !== undefined) remarks.push(nameCode(reference));
  const name = nameCode(field);
  return remarks.length === 0 ? name : `${name} (${remarks.join(', ')})`;
}

/** The files of integrations, if no link leads to them. */
function filesFold({ sections, document }: Model): string | undefined {
  if (hasLinks(document)) return undefined;
  const files = new Set<string>();
  const lines: string[] = [];
  for (const card of sections.flatMap(({ cards }) => cards)) {
    for (const file of card.files) files.add(file);
    const paths = nameList(filesText(card.files), 4);
    lines.push(`- ${nameList(card.names, 4)}: ${paths}`);
  }
  if (files.size === 0) return undefined;
  const title = `Where it is declared: ${count(files.size, 'file')}`;
  return folded(title, listText(lines));
}

/** When the document was made, what it was compared with, and by whom. */
function footer({ document, basis }: Model): string {
  const { createdAt = '', tool } = document;
  const parts: string[] = [];
  const [, day, time] = /^([\d-]{10})T(\d\d:\d\d)/.exec(createdAt) ?? [];
  if (day !== undefined) parts.push(`${day} ${time} UTC`);
  for (const text of basis) parts.push(sentence(text));
  parts.push(`setpoint ${sentence(cut(tool.version, '', 40))}`);
  return parts.join(', ');
}
