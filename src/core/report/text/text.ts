import type { Document } from '../../plan/plan.ts';
import { forLog } from '../escape.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { widthOfView } from '../wrap.ts';
import { cardLines } from './card.ts';
import { endLines } from './end.ts';
import { hanging, painted, type Span, span, wrapped } from './spans.ts';

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
  const model = modelOf(document, view);
  const isSeen = view.outcomes === true;
  // A person has seen the plan: one that was declined is not shown again.
  if (isSeen && model.result === undefined) {
    printFindings(false);
    return;
  }
  const blocks = sectionBlocks(model, view);
  if (!isSeen && model.when.length > 0) {
    const text = [`setpoint ${document.command}`, ...model.when].join(', ');
    const head = hanging([], [span(text, 'faint')], widthOfView(view), 2);
    blocks.unshift(head);
  }
  const textOf = (lines: readonly Span[][]): string => {
    return lines.map((line) => `${painted(line, view)}\n`).join('');
  };
  print(forLog(blocks.map((lines) => `${textOf(lines)}\n`).join('')));
  printFindings(true);
  print(forLog(textOf(endLines(model, view))));
}

/** The cards of all sections below their titles, the weightiest last. */
function sectionBlocks({ sections, result }: Model, view: View): Span[][][] {
  // Few titles in an ordinary week, but drift is never taken for a change.
  const hasTitles =
    sections.length > 1 ||
    result !== undefined ||
    sections[0]?.tone === 'drift';
  const rows = sections.flatMap(({ cards }) => {
    return cards.flatMap((card) => card.rows);
  });
  let gutter = 0;
  for (const { line } of rows) {
    if (line !== '') gutter = Math.max(3, gutter, line.length);
  }
  const width = widthOfView(view);
  const layout = { gutter, width, isFull: view.full === true };
  const blocks: Span[][][] = [];
  for (const { title, cards } of sections.toReversed()) {
    const rule = `-- ${title} `.padEnd(width, '-').trimEnd();
    if (hasTitles) blocks.push(wrapped([span(rule, 'faint')], width));
    for (const card of cards) blocks.push(cardLines(card, layout));
  }
  return blocks;
}
