import type { EntryDiff, FieldDiff, RevisionDiff, Revisions, ServerDiff } from '../../diff/revision-diff.ts';
import { count } from '../../findings/words.ts';
import { effectOf, isPermission } from '../../model/permission.ts';
import { fieldName } from '../fold.ts';
import { MARKS, partsOfDiff, revisionText, sideText, weakening } from '../text/diff.ts';
import { block, comparison, explained } from './comparison.ts';
import { element, type Markup } from './element.ts';
import { badge, fieldArticle, group, riskBadge } from './field.ts';

/** Up to so many differences a page opens with all of them in sight. */
const OPEN_UP_TO = 20;

/** Between which revisions a page compares. */
export function revisionsTitle({ base, head }: Revisions): string {
  return `From ${revisionText(base)} to ${head === undefined ? 'the work tree' : revisionText(head)}.`;
}

/** How many declarations differ, in the project file and on all servers. */
export function differencesIn(diff: RevisionDiff): number {
  return partsOfDiff(diff).flatMap(({ entries }) => entries.flatMap(({ fields }) => fields)).length;
}

/** What differs between two revisions of the configuration, part by part. */
export function revisionSections(diff: RevisionDiff): Markup[] {
  const isOpen = differencesIn(diff) <= OPEN_UP_TO;
  return partsOfDiff(diff).map((each) => serverSection(each, isOpen));
}

function serverSection({ name, change, url, entries }: ServerDiff, isOpen: boolean): Markup {
  const states = {
    kept: [],
    added: [badge('new server', 'good')],
    released: [badge('no longer there', 'bad')],
  };
  const differences = entries.flatMap(({ fields }) => fields).length;
  return element(
    'section',
    { class: 'server', 'data-server': name },
    element('h2', {}, name, ' ', states[change]),
    url === undefined ? [] : element('div', {}, badge('url', 'doubtful'), comparison(url)),
    element(
      'p',
      { class: 'verdict' },
      `${count(differences, 'difference')} in ${count(entries.length, 'entry', 'entries')}.`,
    ),
    entries.map((entry) => entryGroup(entry, isOpen)),
  );
}

function entryGroup(entry: EntryDiff, isOpen: boolean): Markup {
  const { name, was, change, fields } = entry;
  const risks = new Set(fields.flatMap((field) => field.risks));
  const summary = [
    element('strong', {}, `${MARKS[change]} ${name}`),
    ...(was === undefined ? [] : [element('small', {}, `was ${was}`)]),
    element('span', { class: 'many' }, count(fields.length, 'difference')),
    ...[...risks].map(riskBadge),
  ];
  return group(
    { isOpen },
    summary,
    fields.map((field) => differenceArticle(field, entry)),
  );
}

function differenceArticle(field: FieldDiff, entry: EntryDiff): Markup {
  const { address, change, risks, comment, source } = field;
  return fieldArticle({
    mark: MARKS[change],
    address,
    name: fieldName(address, entry),
    difference: differenceOf(field),
    badges: weakening(field).map((words) => badge(words, 'bad')),
    risks,
    ...(comment === undefined ? {} : { comment }),
    source,
  });
}

function differenceOf({ field, before, after }: FieldDiff): Markup {
  const sides = { before: before && sideText(before), after: after && sideText(after) };
  if (field !== 'permission') return comparison(sides);
  const side = (name: 'del' | 'ins', text: string | undefined) =>
    text === undefined ? [] : [explained(name, text, isPermission(text) ? effectOf(text) : '')];
  return block([...side('del', sides.before), ...side('ins', sides.after)]);
}
