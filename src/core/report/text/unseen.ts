import { count } from '../../findings/words.ts';
import type { CannotTell, ServerPlan } from '../../plan/plan.ts';
import { forTerminal } from '../escape.ts';
import { placeText, remediesOf, unseenChanges, unseenChangesTitle } from '../unseen-changes.ts';
import { namesIn, wrapWords } from '../wrap.ts';

/** The fields that cannot be compared, by their addresses, and what to do about them. */
export function unseenLines(
  { integrations, snapshot }: ServerPlan,
  isApplied: boolean,
  width: number,
): string[] {
  const all = integrations.flatMap(({ cannotTell }) => cannotTell);
  const unresolved = all.filter(({ reason }) => reason === 'unresolved');
  const unseen = all.filter(({ reason }) => reason !== 'unresolved');
  const values = unseen.filter(({ address }) => address.endsWith('.value'));
  // A finding tells of permissions.
  const others = unseen.filter(({ address }) => !/\.(value|permission)$/.test(address));
  const told = (what: string, fields: readonly CannotTell[]) => {
    if (fields.length === 0) return [];
    const names = fields.map(({ address }) => forTerminal(address.replace(/\.value$/, '')));
    return [`${what}:`, ...namesIn(names, width - 4).map((line) => `    ${line}`)];
  };
  const advice = isApplied || values.length === 0 ? [] : adviceOn(values, snapshot !== undefined, width);
  return [
    ...told(count(values.length, 'value cannot be read', 'values cannot be read'), values),
    ...advice,
    ...told(
      count(
        unresolved.length,
        'value has a reference that is not set here, and is not compared',
        'values have references that are not set here, and are not compared',
      ),
      unresolved,
    ),
    ...told(
      count(others.length, 'field is not shown by the server', 'fields are not shown by the server'),
      others,
    ),
  ];
}

/** The fields that the branch changed though nobody can see them: a reviewer reads of them before the totals. */
export function unseenChangeLines(plan: ServerPlan, width: number): string[] {
  const changes = unseenChanges([plan]);
  if (changes.length === 0) return [];
  const wrapped = (line: string) => wrapWords(line.split(' '), width);
  return [
    ...wrapped(`${unseenChangesTitle(changes.length)}:`),
    ...changes.map(({ field }) => `    ${forTerminal(`${field.address}  ${placeText(field)}`)}`),
    ...remediesOf(changes).flatMap(wrapped),
  ];
}

/** How to compare or to write values that cannot be read. */
function adviceOn(values: readonly CannotTell[], isOffline: boolean, width: number): string[] {
  const texts = isOffline ? offlineTexts(values) : [ONLINE];
  return texts.flatMap((text) => wrapWords(text.split(' '), width));
}

const ONLINE = 'Pass --write-secrets all, or some of these addresses, to write them.';

/** A sentence for each cause for which a snapshot does not tell, with what helps against it. */
function offlineTexts(values: readonly CannotTell[]): string[] {
  return OFFLINE.flatMap(([lacks, cause]) => {
    const some = values.filter((each) => each.lacks === lacks).length;
    return some === 0 ? [] : [`${some === values.length ? '' : `${some} of them: `}${cause}`];
  });
}

const OFFLINE: readonly (readonly [CannotTell['lacks'], string])[] = [
  [
    'key',
    'The snapshot was taken without a SETPOINT_FINGERPRINT_KEY: take one with it, or plan with the server.',
  ],
  [
    'same-key',
    'To compare secrets, set the SETPOINT_FINGERPRINT_KEY that the snapshot was taken with, or plan with the server.',
  ],
  ['length', 'A secret of less than 8 characters has no fingerprint in a snapshot: plan with the server.'],
  [
    undefined,
    'The server did not show it when the snapshot was taken: apply with --write-secrets to write it.',
  ],
];
