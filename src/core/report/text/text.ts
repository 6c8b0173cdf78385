import type { Document } from '../../plan/plan.ts';
import { forLog } from '../escape.ts';
import type { Section, SectionKey } from '../model/card.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';
import { type CardContext, cardLines } from './card.ts';
import { endLines } from './end.ts';
import { headLines } from './head.ts';
import { columnsOf } from './layout.ts';
import { outcomeBlocks } from './outcomes.ts';
import { lineText } from './row.ts';

/** A report as text, in the two parts between which findings stand. */
export interface TextParts {
  /** What changes; ends with an empty line unless it is empty. */
  readonly changes: string;
  /** The facts, the total, and what is refused. */
  readonly end: string;
}

/** A document for a terminal or a file, without its findings. */
export function renderText(document: Document, view: View): string {
  const { changes, end } = textParts(document, view);
  return `${changes}${end}`;
}

/** A document for a terminal: what matters most stands last. */
export function textParts(document: Document, view: View): TextParts {
  const model = modelOf(document, view.full);
  const isSeen = view.outcomes === true;
  // A person has seen the plan: one that was declined is not shown again.
  if (isSeen && !model.isApplied) return { changes: '', end: '' };
  const blocks: string[][] = [];
  if (!isSeen) blocks.push(headLines(model, view));
  if (model.isApplied) blocks.push(...outcomeBlocks(model, !isSeen, view));
  blocks.push(...sectionBlocks(model, view));
  return {
    changes: forLog(paragraphsOf(blocks)),
    end: forLog(`${endLines(model, view).join('\n')}\n`),
  };
}

/** Blocks of lines, each with an empty line below it. */
function paragraphsOf(blocks: readonly (readonly string[])[]): string {
  const texts: string[] = [];
  for (const lines of blocks) {
    if (lines.length > 0) texts.push(`${lines.join('\n')}\n\n`);
  }
  return texts.join('');
}

/** What a person who has seen the plan still needs in full. */
const NOT_WRITTEN: ReadonlySet<SectionKey> = new Set(['failed', 'held']);

/** The cards of all sections below their titles, the weightiest last. */
function sectionBlocks(model: Model, view: View): string[][] {
  const { sections, document } = model;
  const shown: Section[] = [];
  for (const section of sections) {
    const isSeen = view.outcomes === true && !NOT_WRITTEN.has(section.key);
    if (!isSeen) shown.unshift(section);
  }
  const servers = document.servers.length;
  const context = { view, servers, gutter: gutterOf(shown) };
  // Few titles in an ordinary week, but drift is never taken for a change.
  const hasTitles = sections.length > 1 || sections[0]?.key === 'drift';
  const blocks: string[][] = [];
  for (const section of shown) {
    if (hasTitles) blocks.push(titleLines(section, view));
    blocks.push(...cardBlocks(section, context));
  }
  return blocks;
}

function cardBlocks({ cards }: Section, context: CardContext): string[][] {
  return cards.map((card) => cardLines(card, context));
}

/** The title of a section, with a rule up to the right edge. */
function titleLines({ title }: Section, view: View): string[] {
  const columns = columnsOf(view);
  const lines = filled(title, columns, 3, '-- ');
  const last = lines.pop() ?? '';
  lines.push(`${last} `.padEnd(columns, '-').trimEnd());
  return lines.map(view.paint.faint);
}

/** The columns of the widest line number; few if there is none. */
function gutterOf(sections: readonly Section[]): number {
  let gutter = 0;
  for (const { cards } of sections) {
    for (const row of cards.flatMap(({ rows }) => rows)) {
      gutter = Math.max(gutter, lineText(row).length);
    }
  }
  return gutter === 0 ? 1 : Math.max(3, gutter);
}
