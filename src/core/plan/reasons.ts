import { becameText } from '../findings/apply.ts';
import { addressOf } from '../model/subject.ts';
import type { Change, StaleEnd, WriteEnd } from './plan.ts';

/** Why nothing of a stale integration was written, said of one of its fields. */
export function staleReason(end: StaleEnd, address: string): string {
  if (end.became !== undefined) return becameText(end.became);
  const moved = end.moved.find((field) => field.address === address);
  if (moved === undefined) return 'another field of it moved since the plan';
  return moved.by === 'server'
    ? 'moved on the server since the plan'
    : 'moved in the configuration since the plan';
}

/**
 * Why a change failed or is unknown, in the words of the server if it has any:
 * first those about this change, then those about none. `detail` is why the
 * whole integration was not written or read.
 */
export function failureReason(
  change: Change,
  end: WriteEnd,
  detail: string,
): string {
  const reasons = end.kind === 'refused' ? (end.reasons ?? []) : [];
  const { place } = change.comparison.setting;
  const own = reasons.filter((reason) => reason.place === place);
  const general = reasons.filter((reason) => reason.place === undefined);
  const [nearest = reasons] = [own, general].filter(({ length }) => length > 0);
  const texts = nearest.map(({ text }) => text);
  return withoutPeriod(texts.length === 0 ? detail : texts.join('; '));
}

/** Why an end has no other outcome, for a change that has no reason of its own. */
export function endReason(end: WriteEnd, change: Change): string | undefined {
  if (end.kind === 'not-attempted') return withoutPeriod(end.detail);
  if (end.kind !== 'stale') return undefined;
  return staleReason(end, addressOf(change.comparison.subject));
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
