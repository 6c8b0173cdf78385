import { count } from '../../findings/words.ts';
import type { Left } from '../told/left.ts';
import type { Model } from '../told/model.ts';
import { itemText, shortSentence } from './head.ts';
import { code, fitting, fold, list } from './inline.ts';
import { sentence } from './sentence.ts';

/** The most characters of a fold. */
const LONGEST_FOLD = 5_000;

/** The most names of integrations of which all went well. */
const MOST_DONE = 100;

/** What went well, warnings and what is left, each in a fold; the next step. */
export function tailBlocks(model: Model): string[] {
  const { document, done, warnings, left, when, next } = model;
  const blocks: string[] = [];
  if (done.length > 0) {
    const title = `Done: ${count(done.length, 'integration')}`;
    blocks.push(fold(title, list(done, MOST_DONE)));
  }
  if (warnings.length > 0) {
    const texts = warnings.map((cause) => {
      return `- ${itemText({ ...cause, cause }, document)}`;
    });
    const shown = fitting(texts, LONGEST_FOLD, 'warning').join('\n');
    blocks.push(fold(count(warnings.length, 'warning'), shown));
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
    const command = code(next.command);
    blocks.push(['**Next**', next.lead, command].filter(Boolean).join(' '));
  }
  return blocks;
}

function leftText({ title, how, fields }: Left): string {
  const names = fields.map(({ name, field, more }) => {
    const address = code(`${name}.${field}`);
    return more === '' ? address : `${address} (${sentence(more)})`;
  });
  const most = LONGEST_FOLD / 5;
  const shown = fitting(names, most, 'field').join(', ');
  return `**${title}**, ${shortSentence(how)}: ${shown}`;
}
