import { count } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { LABELS, type Label, type NoteLabel } from '../../plan/label.ts';
import type { ServerPlan } from '../../plan/plan.ts';
import { CANNOT_TELL } from '../text/plan.ts';
import { type Child, element, type Markup } from './element.ts';
import { group } from './field.ts';

/** What an apply does not write, folded: fields that are settled, released, waived, left out, or cannot be seen. */
export function untoldGroups({ integrations, snapshot }: ServerPlan): Markup[] {
  const noted = (label: NoteLabel) =>
    integrations
      .flatMap((each) => each.noted ?? [])
      .filter((each) => each.label === label)
      .map(({ address }) => item({ address, label }));
  const waived = integrations.flatMap((each) => each.waived ?? []).map((address) => item({ address }));
  const unseen = integrations
    .flatMap(({ cannotTell }) => cannotTell)
    .map(({ address, reason, reference, source }) =>
      item({ address, source, why: [CANNOT_TELL[reason], reference].filter(isText).join('; ') }),
    );
  return [
    ...folded(LABELS.settled.title, noted('settled')),
    ...folded(LABELS.released.title, noted('released')),
    ...folded('Waived: known differences that are left alone', waived),
    ...folded(
      snapshot === undefined ? 'Cannot be compared: the server does not show them' : 'Cannot be compared',
      unseen,
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
