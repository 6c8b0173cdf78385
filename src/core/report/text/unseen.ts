import { count } from '../../findings/words.ts';
import type { CannotTell, ServerPlan } from '../../plan/plan.ts';
import { forTerminal } from '../escape.ts';
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
  const advice = isApplied || values.length === 0 ? [] : adviceOn(snapshot !== undefined, width);
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

/** How to compare or to write values that cannot be read. */
function adviceOn(isOffline: boolean, width: number): string[] {
  const texts = isOffline ? [OFFLINE] : [ONLINE];
  return texts.flatMap((text) => wrapWords(text.split(' '), width));
}

const ONLINE = 'Pass --write-hidden all, or some of these addresses, to write them.';

const OFFLINE = 'A snapshot has no secrets: plan with the server to compare them.';
