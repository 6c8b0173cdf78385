import type { Document } from '../../plan/plan.ts';
import { forLog } from '../escape.ts';
import type { Section } from '../model/cards.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { cardLines } from './card.ts';
import { endLines } from './end.ts';
import { widthOfView } from './layout.ts';
import { hanging, painted, span, wrapped } from './spans.ts';

/** A report as text, in the two parts between which findings stand. */
export interface TextParts {
  /** What changes; ends with an empty line unless it is empty. */
  readonly changes: string;
  /** The facts, the total, what is refused, and what to type next. */
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
  if (isSeen && model.result === undefined) return { changes: '', end: '' };
  const blocks = sectionBlocks(model, view);
  if (!isSeen && model.when.length > 0) blocks.unshift(headLines(model, view));
  const texts = blocks.map((lines) => `${lines.join('\n')}\n\n`);
  return {
    changes: forLog(texts.join('')),
    end: forLog(`${endLines(model, view).join('\n')}\n`),
  };
}

/** Which command ran when, and what it compared. */
function headLines({ document, when }: Model, view: View): string[] {
  const text = [`setpoint ${document.command}`, ...when].join(', ');
  const lines = hanging([], [span(text, 'faint')], widthOfView(view), 2);
  return lines.map((line) => painted(line, view));
}

/** The cards of all sections below their titles, the weightiest last. */
function sectionBlocks(model: Model, view: View): string[][] {
  const { sections, result } = model;
  // Few titles in an ordinary week, but drift is never taken for a change.
  const [first, ...others] = sections;
  const hasTitles =
    others.length > 0 || result !== undefined || first?.tone === 'drift';
  const gutter = gutterOf(sections);
  const blocks: string[][] = [];
  for (const section of sections.toReversed()) {
    if (hasTitles) blocks.push(titleLines(section, view));
    for (const card of section.cards)
      blocks.push(cardLines(card, gutter, view));
  }
  return blocks;
}

/** The title of a section, with a rule up to the right edge. */
function titleLines({ title }: Section, view: View): string[] {
  const width = widthOfView(view);
  const rule = `-- ${title} `.padEnd(width, '-').trimEnd();
  const lines = wrapped([span(rule, 'faint')], width);
  return lines.map((line) => painted(line, view));
}

/** The columns of the widest line number; none if there is none. */
function gutterOf(sections: readonly Section[]): number {
  let gutter = 0;
  for (const { cards } of sections) {
    for (const { rows } of cards) {
      for (const { line } of rows) gutter = Math.max(gutter, line.length);
    }
  }
  return gutter === 0 ? 0 : Math.max(3, gutter);
}
