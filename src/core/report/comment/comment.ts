import { count, cut, phrase } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import type { Section } from '../model/cards.ts';
import type { Cause } from '../model/causes.ts';
import { namesIn } from '../model/facts.ts';
import type { Left } from '../model/left.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { cardText } from './card.ts';
import { code, fitting, fold, linked, list, sentence } from './inline.ts';

/** The most characters; GitHub takes 65,536 for a comment. */
const MOST_CHARACTERS = 60_000;

/** The most lines of changes that can be read without a click. */
const OPEN_LINES = 60;

/** Characters for the title and fold of a section, and for the last count. */
const RESERVE = 200;

/** What may still be shown. */
interface Room {
  characters: number;
  /** Lines that can be read without a click. */
  lines: number;
  /** The names of integrations of which changes have no room. */
  readonly left: Set<string>;
}

/**
 * A comment on a pull request in Markdown, of at most 60,000 characters. Its
 * first line is a hidden marker by which the comment is found again.
 */
export function renderComment(document: Document, view?: View): string {
  const typed = view?.typed;
  // The whole path of a file is one of a runner, which no reader has.
  const isOfRunner = typed?.json?.startsWith('/');
  const model = modelOf(document, { typed: isOfRunner ? undefined : typed });
  const blocks = headBlocks(model);
  const tail = tailBlocks(model);
  const { length } = [...blocks, ...tail].join('\n\n');
  const characters = MOST_CHARACTERS - length - RESERVE;
  const room: Room = { characters, lines: OPEN_LINES, left: new Set() };
  for (const section of model.sections) {
    blocks.push(...sectionBlocks(section, document, room));
  }
  if (room.left.size > 0) {
    const number = count(room.left.size, 'integration');
    const where = 'The html report has all of them.';
    blocks.push(`**No room for changes of ${number}.** ${where}`);
  }
  return `${[...blocks, ...tail].join('\n\n')}\n`;
}

/** The cards of a section: as many as are open, then a fold of the others. */
function sectionBlocks(
  { title, cards }: Section,
  document: Document,
  room: Room,
): string[] {
  const blocks: string[] = [];
  const closed: string[] = [];
  const names = new Set<string>();
  room.characters -= RESERVE;
  for (const card of cards) {
    const text = cardText(card, document);
    if (text.length >= room.characters) {
      for (const name of card.names) room.left.add(name);
      continue;
    }
    room.characters -= `${text}\n\n`.length;
    const lines = text.split(/\n+/).length;
    if (lines <= room.lines) {
      room.lines -= lines;
      blocks.push(text);
      continue;
    }
    closed.push(text);
    for (const name of card.names) names.add(name);
  }
  const isOpen = blocks.length > 0;
  if (isOpen) blocks.unshift(`#### ${title}`);
  if (closed.length > 0) {
    const summary = isOpen
      ? count(names.size, 'more integration')
      : `<b>${title}</b>: ${count(names.size, 'integration')}`;
    blocks.push(fold(summary, closed.join('\n\n')));
  }
  return blocks;
}

/** The most characters of a text of a document as a whole. */
const LONGEST_SENTENCE = 600;

/** A sentence about the whole document, which names are in. */
function shortSentence(text: string): string {
  return sentence(cut(text, '', LONGEST_SENTENCE));
}

/** The most characters of refusals, and of errors. */
const LONGEST_ALERT = 10_000;

/** The boxes of alerts by their tones. */
const BOXES = [
  ['bad', 'CAUTION'],
  ['risk', 'WARNING'],
] as const;

/** What needs a person: a verdict, refusals and errors, servers and risks. */
function headBlocks(model: Model): string[] {
  const { document, headline, result, alerts } = model;
  const { command } = document;
  const title = shortSentence(headline.sentence);
  const lower = title.charAt(0).toLowerCase() + title.slice(1);
  const blocks = [
    `<!-- setpoint ${command} -->`,
    `### setpoint ${command}: ${lower}`,
  ];
  if (result !== undefined) {
    const { text, verdict, open } = result;
    const some = `**${verdict.text}**: ${shortSentence(open)}`;
    blocks.push(open === '' ? `**${text}**` : some);
  }
  for (const [tone, box] of BOXES) {
    const paragraphs: string[] = [];
    for (const alert of alerts.filter((each) => each.tone === tone)) {
      const texts = alert.causes.map((cause) => causeText(cause, document));
      paragraphs.push(`**${shortSentence(alert.title)}**`);
      paragraphs.push(...fitting(texts, LONGEST_ALERT, 'problem'));
    }
    if (paragraphs.length > 0)
      blocks.push(`> [!${box}]\n> ${paragraphs.join('\n>\n> ')}`);
  }
  blocks.push(...serversTable(model));
  const risks = model.risks.map(({ words, meaning, facts }) => {
    const names = list(namesIn(facts), 6);
    return `- **${facts.length} ${words}** (${meaning}): ${names}`;
  });
  if (risks.length > 0) blocks.push(risks.join('\n'));
  return blocks;
}

/** A problem in a line: its words, whom else it is about, places, remedies. */
function causeText(
  { text, hints, others, places }: Cause,
  document: Document,
): string {
  const parts = [sentence(text)];
  if (others.length > 0) parts.push(`The same for ${list(others, 5)}.`);
  for (const place of places.slice(0, 2)) {
    const shown = code(`${place.file}:${place.line}`);
    parts.push(linked(shown, place, document) ?? shown);
  }
  if (places.length > 2) parts.push(`and ${places.length - 2} more`);
  parts.push(...hints.map(sentence));
  return phrase(parts);
}

/** More servers are no overview. */
const MOST_SERVERS = 6;

/** What changes on each of a few servers. */
function serversTable({ document, facts, outcomes, labels }: Model): string[] {
  const { servers } = document;
  const isFew = servers.length > 1 && servers.length <= MOST_SERVERS;
  if (!isFew || facts.length === 0) return [];
  const kinds = outcomes.length > 0 ? outcomes : labels;
  const rows = [
    ['server', 'changes', ...kinds.map(({ words }) => words)],
    ['---', '---:', ...kinds.map(() => '---:')],
  ];
  for (const { name } of servers) {
    // A bar ends a cell, in code too.
    const cells = [list([name], 1).replaceAll('|', '\\u{7c}')];
    for (const kind of [{ facts }, ...kinds]) {
      const own = kind.facts.filter(({ server }) => server === name);
      cells.push(`${own.length || ''}`);
    }
    rows.push(cells);
  }
  return [rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
}

/** The most characters of a fold, and of fields that are left for a reason. */
const LONGEST_FOLD = 5_000;
const LONGEST_LEFT = 2_000;

/** What went well, warnings and what is left, each in a fold; the next step. */
function tailBlocks(model: Model): string[] {
  const { document, done, warnings, left, when, next } = model;
  const blocks: string[] = [];
  if (done.length > 0) {
    const names = done.map((name) => code(name));
    const shown = fitting(names, LONGEST_FOLD, 'integration');
    const title = `Done: ${count(done.length, 'integration')}`;
    blocks.push(fold(title, shown.join(', ')));
  }
  if (warnings.length > 0) {
    const texts = warnings.map((cause) => causeText(cause, document));
    const shown = fitting(texts, LONGEST_FOLD, 'warning');
    const title = count(warnings.length, 'warning');
    blocks.push(fold(title, shown.map((text) => `- ${text}`).join('\n')));
  }
  if (left.length > 0) {
    const counts = left.map(({ title, size }) => {
      return `${title}: ${count(size, 'field')}`;
    });
    blocks.push(fold(counts.join(', '), left.map(leftText).join('\n\n')));
  }
  const made = [...when, `setpoint ${document.tool.version}`];
  blocks.push(`<sub>${shortSentence(made.join(', '))}</sub>`);
  if (next !== undefined) {
    const lead = `**Next** ${next.lead}`.trim();
    blocks.push(`${lead} ${code(next.command)}`);
  }
  return blocks;
}

function leftText({ title, how, fields }: Left): string {
  const names = fields.map(({ field, more }) => {
    return more === '' ? code(field) : `${code(field)} (${sentence(more)})`;
  });
  const shown = fitting(names, LONGEST_LEFT, 'field').join(', ');
  return `**${title}**, ${shortSentence(how)}: ${shown}`;
}
