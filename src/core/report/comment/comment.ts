import { at, count, cut, phrase } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Document } from '../../plan/plan-document.ts';
import { forLog, visible } from '../escape.ts';
import type { Card, Note, Row } from '../model/cards.ts';
import type { Cause } from '../model/causes.ts';
import { namesIn } from '../model/facts.ts';
import { sizeOf } from '../model/left.ts';
import { type Model, modelOf } from '../model/model.ts';
import { type DiffLine, folded, type Run, textOf } from '../model/text-diff.ts';
import type { View } from '../report.ts';
import {
  code,
  fenceOf,
  fitting,
  fold,
  LONGEST,
  linked,
  list,
  sentence,
} from './inline.ts';

/** The most characters; GitHub takes 65,536 for a comment. */
const MOST_CHARACTERS = 60_000;

/** The most lines of changes that can be read without a click. */
const OPEN_LINES = 60;

/** Characters for the title and fold of a section, and for the last count. */
const RESERVE = 200;

/**
 * A comment on a pull request in Markdown, of at most 60,000 characters. Its
 * first line is a hidden marker by which the comment is found again. A card
 * without room is counted at the end; smaller ones after it still stand.
 */
export function renderComment(document: Document, view?: View): string {
  const typed = view?.typed;
  // The whole path of a file is one of a runner, which no reader has.
  const isOfRunner = typed?.json?.startsWith('/');
  const model = modelOf(document, { typed: isOfRunner ? undefined : typed });
  const { sections } = model;
  const blocks = headBlocks(model);
  const tail = tailBlocks(model);
  const { length } = [...blocks, ...tail].join('\n\n');
  let room = MOST_CHARACTERS - length - RESERVE * (sections.length + 1);
  let open = OPEN_LINES;
  const left: Card[] = [];
  for (const { title, cards } of sections) {
    const texts: string[] = [];
    for (const card of cards) {
      const text = `${cardText(card, document)}\n\n`;
      if (text.length > room) {
        left.push(card);
        continue;
      }
      texts.push(text);
      room -= text.length;
    }
    if (texts.length === 0) continue;
    const content = texts.join('').trimEnd();
    open -= content.split(/\n+/).length;
    const summary = `<b>${title}</b>: ${integrationsIn(cards)}`;
    if (open < 0) blocks.push(fold(summary, content));
    else blocks.push(`#### ${title}`, content);
  }
  if (left.length > 0) {
    const where = 'The html report has all of them.';
    blocks.push(`**No room for changes of ${integrationsIn(left)}.** ${where}`);
  }
  return `${[...blocks, ...tail].join('\n\n')}\n`;
}

function integrationsIn(cards: readonly Card[]): string {
  const names = new Set(cards.flatMap((card) => card.names));
  return count(names.size, 'integration');
}

/** The most names in the title of a card; all others are in a fold. */
const MOST_NAMES = 8;

/** A card: its names, and its rows as a list. */
function cardText(
  { names, title, notes, files, rows }: Card,
  document: Document,
): string {
  const name = title ?? list(names, MOST_NAMES);
  const said = notes.map(noteText).join(', ');
  const blocks = [phrase([`**${name}**`, list(files, 2), said])];
  if (title !== undefined || names.length > MOST_NAMES) {
    blocks.push(fold('their names', nameList(names)));
  }
  blocks.push(rows.map((row) => rowText(row, document)).join('\n'));
  return blocks.join('\n\n');
}

/** Names of integrations as code, as many as have room. */
function nameList(names: readonly string[]): string {
  const texts = names.map((name) => code(name));
  return fitting(texts, 'integration').join(', ');
}

/** An item: the field, its value, notes, and the line; then a comparison. */
function rowText(row: Row, document: Document): string {
  const { field, value, line, place, notes } = row;
  const where = place && linked(code(line), place, document);
  const said = notes.map(noteText).join(', ');
  if (value.lines !== undefined) {
    const item = phrase(['-', code(field), said, where]);
    // A blank line between them would set all items of the list apart.
    return `${item}\n${fence(value.lines)}`;
  }
  const old = value.before && `${sideText(value.before)} →`;
  return phrase(['-', code(field), old, sideText(value.after), said, where]);
}

/** What counts is bold. */
function noteText({ kind, tone, text }: Note): string {
  if (kind === 'comment' || kind === 'file') return code(text);
  const words = sentence(text);
  return tone === 'dim' || kind === 'reason' ? words : `**${words}**`;
}

/** One side of a change: words of ours, or a value as code. */
function sideText(runs: readonly Run[]): string {
  const text = textOf(runs);
  return runs[0]?.mark === '.' ? sentence(text) : code(text);
}

/** The most lines of a comparison. */
const MOST_LINES = 30;

/** Lines of a comparison as a block in an item, with a count of the others. */
function fence(lines: readonly DiffLine[]): string {
  const shown = lines.slice(0, MOST_LINES).map(({ mark, runs }) => {
    const text = visible(textOf(folded(runs)));
    return `${mark === ':' ? ' ' : mark} ${cut(text, '', LONGEST)}`;
  });
  const left = lines.length - MOST_LINES;
  if (left > 0) shown.push(`  (${count(left, 'more line')})`);
  // A line that stays could be a command of a runner.
  const content = forLog(shown.join('\n'));
  const ticks = fenceOf(content, 3);
  const block = `${ticks}diff\n${content}\n${ticks}`;
  return block.replace(/^/gm, '  ');
}

/** The most characters of a text of a document as a whole. */
const LONGEST_SENTENCE = 600;

/** A sentence about the whole document, which names are in. */
function shortSentence(text: string): string {
  return sentence(cut(text, '', LONGEST_SENTENCE));
}

/** What needs a person: a verdict, refusals and errors, servers and risks. */
function headBlocks(model: Model): string[] {
  const { document, headline, result, alerts } = model;
  const { command } = document;
  const blocks = [
    `<!-- setpoint ${command} -->`,
    `### setpoint ${command}: ${shortSentence(headline)}`,
  ];
  if (result !== undefined) {
    const { text, verdict, open } = result;
    const some = `**${verdict.text}**: ${shortSentence(open)}`;
    blocks.push(open === '' ? `**${shortSentence(text)}**` : some);
  }
  for (const [tone, own] of grouped(alerts, (alert) => alert.tone)) {
    const paragraphs = own.flatMap(({ title: words, causes }) => {
      const texts = causes.map((cause) => causeText(cause, document));
      return [`**${shortSentence(words)}**`, ...fitting(texts, 'problem')];
    });
    const box = tone === 'bad' ? 'CAUTION' : 'WARNING';
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

/** A problem in a line: its words, its place, where else it is, remedies. */
function causeText(
  { text, place, also, hints }: Cause,
  document: Document,
): string {
  const where = place && linked(code(at(place)), place, document);
  return phrase([sentence(text), where, ...[also, ...hints].map(sentence)]);
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
    const cells = [code(name).replaceAll('|', '\\u{7c}')];
    for (const kind of [{ facts }, ...kinds]) {
      const own = kind.facts.filter(({ server }) => server === name);
      cells.push(`${own.length || ''}`);
    }
    rows.push(cells);
  }
  return [rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
}

/** What went well, warnings and what is left, each in a fold; the next step. */
function tailBlocks(model: Model): string[] {
  const { document, done, warnings, left, when, next } = model;
  const blocks: string[] = [];
  if (done.length > 0) {
    const title = `Done: ${count(done.length, 'integration')}`;
    blocks.push(fold(title, nameList(done)));
  }
  if (warnings.length > 0) {
    const texts = warnings.map((cause) => `- ${causeText(cause, document)}`);
    const shown = fitting(texts, 'warning').join('\n');
    blocks.push(fold(count(warnings.length, 'warning'), shown));
  }
  if (left.length > 0) {
    const texts = left.map(({ title, how, fields }) => {
      const names = fields.map(({ field, more }) => {
        return phrase([code(field), more && `(${sentence(more)})`]);
      });
      const shown = fitting(names, 'field').join(', ');
      return `**${title}**, ${sentence(how)}: ${shown}`;
    });
    blocks.push(fold(count(sizeOf(left), 'more field'), texts.join('\n\n')));
  }
  const made = [...when, `setpoint ${document.tool.version}`];
  blocks.push(`<sub>${shortSentence(made.join(', '))}</sub>`);
  if (next !== undefined) {
    blocks.push(phrase(['**Next**', next.lead, code(next.command)]));
  }
  return blocks;
}
