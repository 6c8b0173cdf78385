import type { Document } from '../../plan/plan.ts';
import { forLog } from '../escape.ts';
import type { Section } from '../model/cards.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { cardLines } from './card.ts';
import { endLines } from './end.ts';
import { widthOfView } from './layout.ts';
import { hanging, painted, span, wrapped } from './spans.ts';

/** Takes a text in its order; findings may go elsewhere than the rest. */
export interface TextPrinter {
  readonly print: (text: string) => void;
  readonly printFindings: (isBeforeTotal: boolean) => void;
}

/** A document for a file, with findings that are rendered already. */
export function renderText(
  document: Document,
  view: View,
  findings = '',
): string {
  const texts: string[] = [];
  const print = (text: string): void => void texts.push(text);
  printText(document, view, { print, printFindings: () => print(findings) });
  return texts.join('');
}

/**
 * Prints a document: what changes, the findings, then the facts, the total,
 * what is refused, and what to type next. What matters most stands last.
 */
export function printText(
  document: Document,
  view: View,
  { print, printFindings }: TextPrinter,
): void {
  const model = modelOf(document, view.full);
  const isSeen = view.outcomes === true;
  // A person has seen the plan: one that was declined is not shown again.
  if (isSeen && !model.isApplied) {
    printFindings(false);
    return;
  }
  const blocks = sectionBlocks(model, view);
  if (!isSeen && model.when.length > 0) blocks.unshift(headLines(model, view));
  const texts = blocks.map((lines) => `${lines.join('\n')}\n\n`);
  print(forLog(texts.join('')));
  printFindings(true);
  print(forLog(`${endLines(model, view).join('\n')}\n`));
}

/** Which command ran when, and what it compared. */
function headLines({ document, when }: Model, view: View): string[] {
  const text = [`setpoint ${document.command}`, ...when].join(', ');
  const lines = hanging([], [span(text, 'faint')], widthOfView(view), 2);
  return lines.map((line) => painted(line, view));
}

/** The cards of all sections below their titles, the weightiest last. */
function sectionBlocks(model: Model, view: View): string[][] {
  const { sections, isApplied } = model;
  // Few titles in an ordinary week, but drift is never taken for a change.
  const [first, ...others] = sections;
  const hasTitles = others.length > 0 || isApplied || first?.tone === 'drift';
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
