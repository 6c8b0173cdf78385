import type { Document } from '../../plan/plan.ts';
import { modelOf } from '../model/model.ts';
import { headBlocks } from './head.ts';
import type { Room } from './piece.ts';
import { sectionBlocks } from './section-text.ts';
import { findingBlocks, tailBlocks } from './tail.ts';

/** The most characters; GitHub takes 65,536 for a comment. */
const MOST_CHARACTERS = 60_000;

/** The most rows and lines that can be read without a click. */
const OPEN_LINES = 45;

/** Characters that are kept for the count of what has no room. */
const RESERVE = 200;

/**
 * A comment on a pull request in Markdown, of at most 60,000 characters. Its
 * first line is a hidden marker by which the comment is found again. What
 * needs a person comes first, and is cut last.
 */
export function renderComment(document: Document): string {
  const model = modelOf(document);
  const head = [`<!-- setpoint ${document.command} -->`, ...headBlocks(model)];
  const tail = tailBlocks(model);
  const room: Room = {
    characters: MOST_CHARACTERS,
    lines: OPEN_LINES,
    left: 0,
  };
  const body: string[] = [];
  room.characters -= RESERVE + lengthOf([...head, ...tail]);
  // Findings keep their room, and take what lines the changes leave open.
  const closed: Room = { ...room, lines: 0 };
  room.characters -= lengthOf(findingBlocks(model, closed));
  for (const section of model.sections) {
    body.push(...sectionBlocks(section, model, room));
  }
  if (room.left > 0) {
    const number = `${room.left} of ${model.facts.length} changes`;
    body.push(`**Left out here: ${number}.** The html report has all of them.`);
  }
  const findings = findingBlocks(model, room);
  return `${[...head, ...body, ...findings, ...tail].join('\n\n')}\n`;
}

function lengthOf(blocks: readonly string[]): number {
  return `${blocks.join('\n\n')}\n\n`.length;
}
