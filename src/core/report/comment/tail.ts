import { count } from '../../findings/words.ts';
import { commandOf } from '../model/headline.ts';
import type { Left } from '../model/left.ts';
import type { Model } from '../model/model.ts';
import type { Typed } from '../report.ts';
import { causeText, shortSentence } from './head.ts';
import { code, fitting, fold } from './inline.ts';
import { sentence } from './sentence.ts';

/** The most characters of a fold, and of fields that are left for a reason. */
const LONGEST_FOLD = 5_000;
const LONGEST_LEFT = 2_000;

/** What went well, warnings and what is left, each in a fold; the next step. */
export function tailBlocks(model: Model, typed?: Typed): string[] {
  const { document, done, warnings, left, when, next } = model;
  const blocks: string[] = [];
  if (done.length > 0) {
    const title = `Done: ${count(done.length, 'integration')}`;
    const names = done.map((name) => code(name));
    const shown = fitting(names, LONGEST_FOLD, 'integration');
    blocks.push(fold(title, shown.join(', ')));
  }
  if (warnings.length > 0) {
    const texts = warnings.map((cause) => {
      return causeText(cause, document);
    });
    const shown = fitting(texts, LONGEST_FOLD, 'warning');
    const title = count(warnings.length, 'warning');
    blocks.push(fold(title, shown.map((text) => `- ${text}`).join('\n')));
  }
  if (left.length > 0) {
    const counts = left.map(({ title, fields }) => {
      return `${title}: ${count(fields.length, 'field')}`;
    });
    blocks.push(fold(counts.join(', '), left.map(leftText).join('\n\n')));
  }
  const made = [...when, `setpoint ${document.tool.version}`];
  blocks.push(`<sub>${shortSentence(made.join(', '))}</sub>`);
  if (next !== undefined) {
    const command = code(commandOf(next, typed));
    blocks.push(['**Next**', next.lead, command].filter(Boolean).join(' '));
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
