import { count } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { present } from '../../model/present.ts';
import { LABELS, type Label, type NoteLabel } from '../../plan/label.ts';
import type { ServerPlan } from '../../plan/plan.ts';
import { CANNOT_TELL } from '../text/plan.ts';
import { remediesOf, unseenChanges, unseenChangesTitle } from '../unseen-changes.ts';
import { type Child, element, type Markup } from './element.ts';
import { group } from './field.ts';

/** What an apply does not write, folded: fields that are settled, released, waived, left out, or cannot be seen. */
export function untoldGroups({ integrations, snapshot }: ServerPlan): Markup[] {
  const noted = (label: NoteLabel) =>
    integrations
      .flatMap((each) => each.noted ?? [])
      .filter((each) => each.label === label)
      .map(({ address, source }) => item({ address, label, source }));
  const waived = integrations
    .flatMap((each) => each.waived ?? [])
    .map(({ address, label, source, waiver: { until, reason, owner } }) => {
      const why = `until ${until}: ${reason}${owner === undefined ? '' : ` (${owner})`}`;
      return item({ address, label, source, why });
    });
  const unseen = integrations
    .flatMap(({ cannotTell }) => cannotTell)
    .map(({ address, reason, reference, source }) =>
      item({ address, source, why: [CANNOT_TELL[reason], reference].filter(isText).join('; ') }),
    );
  const leftOut = integrations.flatMap((each) => each.leftOut ?? []).map((address) => item({ address }));
  return [
    ...folded(LABELS.settled.title, noted('settled')),
    ...folded(LABELS.released.title, noted('released')),
    ...folded('Waived: known differences that are left alone', waived),
    ...folded('Not shown by --only-labels, and left alone', leftOut),
    ...folded(
      snapshot === undefined ? 'Cannot be compared: the server does not show them' : 'Cannot be compared',
      unseen,
    ),
  ];
}

/** What the branch changed and no total counts, since nobody can see it; nothing where there is none. */
export function unseenSection(servers: readonly ServerPlan[]): Markup[] {
  const changes = unseenChanges(servers);
  if (changes.length === 0) return [];
  const items = changes.map(({ server, field: { address, source, reference } }) =>
    item({
      address: servers.length === 1 ? address : `${server}: ${address}`,
      source,
      ...present({ why: reference }),
    }),
  );
  return [
    element(
      'section',
      { class: 'risks' },
      element('h2', {}, unseenChangesTitle(changes.length)),
      element('ul', {}, items),
      element('p', {}, remediesOf(changes).join(' ')),
    ),
  ];
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function folded(title: string, items: readonly Markup[]): Markup[] {
  if (items.length === 0) return [];
  const summary = [
    element('span', {}, title),
    element('span', { class: 'many' }, count(items.length, 'field')),
  ];
  return [group({ isOpen: false }, summary, element('ul', {}, items))];
}

interface UntoldField {
  readonly address: string;
  readonly label?: Label;
  readonly source?: Place | undefined;
  readonly why?: string;
}

function item({ address, label, source, why }: UntoldField): Markup {
  const parts: Child[] = [
    element('strong', {}, address),
    ...(why === undefined ? [] : [' ', why]),
    ...(source === undefined ? [] : [' ', element('small', {}, `${source.file}:${source.line}`)]),
  ];
  return element('li', { 'data-item': true, ...(label === undefined ? {} : { 'data-label': label }) }, parts);
}
