import type { EntryDiff, FieldDiff, RevisionDiff, ServerDiff } from '../../diff/revision-diff.ts';
import { at, count } from '../../findings/words.ts';
import type { PlanBase } from '../../plan/plan.ts';
import { textSides } from '../change-text.ts';
import { codeSpan, fenced } from '../escape-sinks.ts';
import { fieldName } from '../fold.ts';
import {
  cautions,
  declaredSides,
  effects,
  HIDDEN_WORDS,
  hidesValues,
  partsOfDiff,
  summaryOf,
} from '../text/diff.ts';
import { type Block, collapsed, partsOf } from './page.ts';
import { IN_PAGE } from './plan.ts';

/** What two revisions differ in altogether. */
export function differenceHead(diff: RevisionDiff): string[] {
  const { base, head } = diff;
  const fields = partsOfDiff(diff).flatMap(({ entries }) => entries.flatMap((entry) => entry.fields));
  const title = fields.length === 0 ? 'no differences' : count(fields.length, 'difference');
  const to = head === undefined ? 'the work tree' : revisionSpan(head);
  const hidden = hidesValues(diff) ? [HIDDEN_WORDS] : [];
  return [`## setpoint diff: ${title}`, `From ${revisionSpan(base)} to ${to}.`, ...hidden];
}

function revisionSpan({ ref, commit }: PlanBase): string {
  return `${codeSpan(ref)} (${codeSpan(commit.slice(0, 12))})`;
}

/** What differs in each entry of the project file and of each server. */
export function differenceBlocks(diff: RevisionDiff): Block[] {
  return partsOfDiff(diff).flatMap((server): Block[] => {
    const blocks = server.entries.flatMap(entryBlocks);
    const shown: readonly Block[] = blocks.length === 0 ? [{ text: NOTHING, of: 'line', count: 0 }] : blocks;
    return shown.map((block) => ({ ...block, headings: [serverHeading(server)] }));
  });
}

const NOTHING = 'None of its entries differs.';

function serverHeading({ name, change, url, entries }: ServerDiff): string {
  const state = { kept: '', added: ' (new server)', released: ' (no longer there)' }[change];
  const sides = [url?.before, url?.after].map((each) => codeSpan(each ?? '(none)'));
  return [
    `### ${codeSpan(name)}${state}`,
    ...(url === undefined ? [] : [`**Its address differs:** ${sides.join(' → ')}`]),
    ...(entries.length === 0 ? [] : [summaryOf(entries).join(' ')]),
  ].join('\n\n');
}

function entryBlocks(entry: EntryDiff): Block[] {
  const { name, was, change } = entry;
  const renamed = was === undefined ? '' : `, was ${codeSpan(was)}`;
  return partsOf(entry.fields, (field) => fieldLines(field, entry)).map(({ items, lines }) => ({
    text: [
      `**${codeSpan(name)}** (${change}${renamed})`,
      collapsed(count(items.length, 'difference'), fenced(lines, 'diff')),
    ].join('\n\n'),
    of: 'change',
    count: items.length,
  }));
}

function fieldLines(field: FieldDiff, entry: EntryDiff): string[] {
  const { address, source, comment, change } = field;
  const sides = declaredSides(field);
  const lines = textSides(sides, IN_PAGE).below;
  // One side alone has no marks.
  const mark = { added: '+ ', changed: '', released: '- ' }[change];
  return [
    `@@ ${fieldName(address, entry)} @@ ${at(source)}`,
    ...lines.map((line) => `${mark}${line}`),
    ...effects(field),
    ...cautions(field),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ];
}
