import type {
  DeclaredSide,
  EntryDiff,
  FieldDiff,
  RevisionDiff,
  ServerDiff,
} from '../../diff/revision-diff.ts';
import { count } from '../../findings/words.ts';
import { effectOf, isPermission } from '../../model/permission.ts';
import { HIDDEN } from '../../model/secret.ts';
import { asOptionValue } from '../../model/written.ts';
import type { PlanBase } from '../../plan/plan.ts';
import { RISK_NAMES } from '../../plan/risk.ts';
import { commentLines, riskText, textSides } from '../change-text.ts';
import { forTerminal } from '../escape.ts';
import { fieldName } from '../fold.ts';
import type { View } from '../report.ts';
import { valueText } from '../sides.ts';
import { wrapWords } from '../wrap.ts';

type DiffView = Pick<View, 'paint' | 'width'> & { readonly full?: boolean };

/** What differs, part by part: in the project file, if anything does, then on each server. */
export function partsOfDiff({
  project = [],
  servers,
}: Pick<RevisionDiff, 'project' | 'servers'>): ServerDiff[] {
  const rules: ServerDiff = { name: 'setpoint.yaml', change: 'kept', entries: project };
  return project.length === 0 ? [...servers] : [rules, ...servers];
}

/** What differs between two revisions of the configuration, part by part. Ends with a newline. */
export function renderDiff(diff: RevisionDiff, view: DiffView): string {
  const { base, head } = diff;
  const title = `From ${revisionText(base)} to ${head === undefined ? 'the work tree' : revisionText(head)}.`;
  const blocks = partsOfDiff(diff).map((each) => renderServer(each, view));
  const hidden = hidesValues(diff) ? wrapWords(HIDDEN_WORDS.split(' '), view.width) : [];
  const note = hidden.length === 0 ? [] : [...hidden.map(view.paint.faint), ''];
  return [title, '', ...blocks.flat(), ...note].join('\n');
}

/** Why a value is hidden, and how to show one that is no secret. */
export const HIDDEN_WORDS =
  'What is hidden is a secret or likely to be one. `sensitive: false` in an option shows a value that is none.';

/** Whether a part of a value is hidden. */
export function hidesValues(diff: RevisionDiff): boolean {
  const fields = partsOfDiff(diff).flatMap(({ entries }) => entries.flatMap((entry) => entry.fields));
  const sides = fields.flatMap(({ before, after }) => [before, after]);
  return sides.some((side) => side?.isHidden === true || side?.reference?.includes(HIDDEN) === true);
}

/** A ref with the start of the commit that it means; that start alone where the ref is the id itself. */
export function revisionText({ ref, commit }: PlanBase): string {
  const short = commit.slice(0, 12);
  if (ref === commit) return short;
  return `${forTerminal(ref)}${ref.startsWith(short) ? '' : ` (${short})`}`;
}

/** The mark of a declaration that is new, changed, or no longer there. */
export const MARKS = { added: '+', changed: '~', released: '-' } as const;

/** What a declaration that differs between two revisions is to the branch. */
export const DECLARED = {
  added: 'Declared by this branch',
  changed: 'Declared otherwise by this branch',
  released: 'No longer declared by this branch',
} as const satisfies Record<FieldDiff['change'], string>;

function renderServer({ name, was, change, url, entries }: ServerDiff, view: DiffView): string[] {
  const { paint, width } = view;
  const kept = was === undefined ? '' : `  (was ${forTerminal(was)})`;
  const state = { kept, added: '  (new server)', released: '  (no longer there)' }[change];
  const address = [url?.before, url?.after].map((each) => forTerminal(each ?? '(none)')).join(' -> ');
  const summary = summaryOf(entries);
  return [
    `${paint.strong(forTerminal(name))}${state}`,
    ...(url === undefined ? [] : [`    ${paint.risk(`! url: ${address}`)}`]),
    '',
    ...entries.flatMap((entry) => renderEntry(entry, view)),
    ...summary.flatMap((line) => wrapWords(line.split(' '), width)),
    '',
  ];
}

function renderEntry(entry: EntryDiff, view: DiffView): string[] {
  const { name, was, change, fields } = entry;
  const renamed = was === undefined ? [] : [view.paint.faint(`(was ${forTerminal(was)})`)];
  const title = [view.paint.strong(`${MARKS[change]} ${forTerminal(name)}`), ...renamed];
  const width = Math.max(...fields.map(({ address }) => fieldName(address, entry).length));
  return [
    title.join('  '),
    ...fields.flatMap((field) => renderField(field, fieldName(field.address, entry).padEnd(width), view)),
    '',
  ];
}

function renderField(field: FieldDiff, name: string, view: DiffView): string[] {
  const { change, comment } = field;
  const { paint, width } = view;
  const mark = { added: paint.add, changed: paint.change, released: paint.remove }[change](MARKS[change]);
  const lead = `    ${mark} ${forTerminal(name)}`;
  const { beside, below } = textSides(declaredSides(field), view);
  const fits = beside !== undefined && 6 + name.length + 2 + beside.text.length <= width;
  const notes = [...effects(field), ...unshownWords(field), ...commentLines(comment, view)];
  return [
    ...(fits ? [`${lead}  ${beside.painted}`] : [lead.trimEnd(), ...below.map((line) => `        ${line}`)]),
    ...notes.map((text) => `      ${paint.faint(text)}`),
    ...cautions(field).map((text) => `      ${paint.risk(text)}`),
  ];
}

/** Both sides of a declaration as text. For a sink it has to be escaped. */
export function declaredSides({ before, after }: Pick<FieldDiff, 'before' | 'after'>) {
  return { before: before && sideText(before), after: after && sideText(after) };
}

/** What one side declares, as far as it may be shown. For a sink it has to be escaped. */
export function sideText({ value, reference, isHidden }: DeclaredSide): string {
  if (reference !== undefined) return reference;
  return isHidden === true || value === null ? '(hidden)' : valueText(asOptionValue(value));
}

/** What a reviewer should not miss. */
export function cautions(field: FieldDiff): string[] {
  return [...field.risks.map(riskText), ...weakening(field).map((words) => `! ${words}`)];
}

/** How a rule of the project is weaker than before, or a server is another one or trusted otherwise. */
export function weakening({ field, isWeaker, change }: FieldDiff): string[] {
  if (isWeaker !== true) return [];
  switch (field) {
    case 'waiver':
    case 'labels':
      return ['leaves more alone than before'];
    case 'server':
      return [change === 'added' ? 'credentials go to a new server' : 'the server is no longer managed'];
    case 'url':
      return ['credentials go to another address'];
    case 'tls':
      return [change === 'released' ? 'trusts every public authority again' : 'trusts another authority'];
    default:
      return ['refuses less than before'];
  }
}

const UNSHOWN = {
  file: 'the content of the file changed',
  fallback: 'the fallback changed',
  text: 'the text around it changed',
} as const;

function unshownWords({ unshown = [] }: FieldDiff): string[] {
  return unshown.map((part) => `(${UNSHOWN[part]})`);
}

/** What permissions mean for people. */
export function effects({ field, before, after }: FieldDiff): string[] {
  if (field !== 'permission') return [];
  const words = [before?.value, after?.value].flatMap((value) =>
    typeof value === 'string' && isPermission(value) ? [effectOf(value)] : [],
  );
  return words.length === 0 ? [] : [`(${words.join(' -> ')})`];
}

/** The risks of differences, and their number. */
export function summaryOf(entries: readonly EntryDiff[]): string[] {
  const fields = entries.flatMap((entry) => entry.fields);
  if (fields.length === 0) return ['No differences.'];
  const risks = RISK_NAMES.flatMap((risk) => {
    const { length } = fields.filter((each) => each.risks.includes(risk));
    return length === 0 ? [] : [`${risk} ${length}`];
  });
  const counts = (['added', 'changed', 'released'] as const).flatMap((change) => {
    const { length } = fields.filter((each) => each.change === change);
    return length === 0 ? [] : [`${length} ${change}`];
  });
  const where = `in ${count(entries.length, 'entry', 'entries')}`;
  return [
    ...(risks.length === 0 ? [] : [`Risks: ${risks.join(', ')}.`]),
    `${count(fields.length, 'difference')} ${where}: ${counts.join(', ')}.`,
  ];
}
