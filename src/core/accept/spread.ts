import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { changedFields } from './beside.ts';
import { fieldKey, type WantedField } from './editing.ts';
import type { ReadServer } from './reading.ts';

/** A finding of the fields that get another desired value beside those that are taken back; none where there are none. */
export function spreadFindings(
  before: readonly ReadServer[],
  after: readonly ReadServer[],
  taken: readonly WantedField[],
): Diagnostic[] {
  const own = new Set(taken.map(fieldKey));
  const now = new Map(after.map((each) => [each.server.name, each]));
  const changed = before.flatMap((was) => changedFields(was, now.get(was.server.name) ?? was));
  const fields = changed
    .filter(({ key }) => !own.has(key))
    .map(({ server, address }) => `${server}: ${address}`);
  return fields.length === 0 ? [] : [diagnostic('accept-spreads', { fields })];
}
