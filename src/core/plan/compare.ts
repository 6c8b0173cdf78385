import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { identical, sameContent } from '../model/value.ts';
import type { HeldField } from './diff.ts';
import { afterWords, beforeWords, OTHER_SECRET, UNTOLD, valueWords } from './field-state.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';
import type { Planned } from './plan-server.ts';

/** What is left to do in one integration of a reviewed plan; `stale` where that is not part of what was reviewed. */
export type Verdict =
  | { readonly kind: 'write' }
  | { readonly kind: 'done' }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] };

/** A plan made again, and what to do with each integration that it or the reviewed plan changes, by id. */
interface Compared {
  readonly plan: ServerPlan;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

type Reviewed = IntegrationPlan<null>;

/**
 * Compares a plan made again with the one that was reviewed, which can only narrow it: an integration is written where each
 * change was reviewed, and the field of each reviewed change that is missing is at its planned value.
 */
export function compare(
  { plan, held, installed }: Planned,
  reviewed: ServerPlan<null>,
  fingerprint: Fingerprint,
): Compared {
  // A plan that was edited may name an integration twice: then all of it has to hold.
  const byName = new Map(reviewed.integrations.map(({ name }): [string, Reviewed[]] => [name, []]));
  for (const each of reviewed.integrations) byName.get(each.name)?.push(each);
  const verdicts = plan.integrations.flatMap((now): [string, Verdict][] => {
    const reviews = byName.get(now.name) ?? [];
    if ([now, ...reviews].every(({ changes }) => changes.length === 0)) return [];
    const fields = new Map((held.get(now.id) ?? []).map((field) => [field.address, field]));
    const moved = movedId(now, reviews, installed) ?? movedFields(now, reviews, fields, fingerprint);
    if (moved.length > 0) return [[now.id, { kind: 'stale', moved }]];
    return [[now.id, { kind: now.changes.length > 0 ? 'write' : 'done' }]];
  });
  const names = new Set(plan.integrations.map(({ name }) => name));
  const gone = reviewed.integrations.filter(({ name, changes }) => changes.length > 0 && !names.has(name));
  const goneVerdicts = gone.map(({ id, changes }): [string, Verdict] => [
    id,
    { kind: 'stale', moved: changes.map((change) => movedAway(change, installed.has(id))) },
  ]);
  const integrations = [...plan.integrations, ...gone.map(unplanned)];
  integrations.sort((a, b) => compareText(a.name, b.name));
  return { plan: { ...plan, integrations }, verdicts: new Map([...verdicts, ...goneVerdicts]) };
}

/** The name means another integration now: the configuration selects another one, or the server has replaced it. */
function movedId(
  { name, id }: IntegrationPlan,
  reviews: readonly Reviewed[],
  installed: ReadonlySet<string>,
): readonly Moved[] | undefined {
  const other = reviews.find((each) => each.id !== id);
  if (other === undefined) return undefined;
  const moved = { address: name, before: other.id, now: id };
  return [installed.has(other.id) ? { ...moved, by: 'configuration' } : moved];
}

function movedFields(
  now: IntegrationPlan,
  reviews: readonly Reviewed[],
  held: ReadonlyMap<string, HeldField>,
  fingerprint: Fingerprint,
): readonly Moved[] {
  const reviewed = reviews.flatMap(({ changes }) => changes);
  const planned = new Set(reviewed.map(({ address }) => address));
  const changes = new Map(now.changes.map((change) => [change.address, change]));
  const isNewlyManaged = reviews.some(({ unmanagedOptions = 0 }) => unmanagedOptions > now.unmanagedOptions);
  return [
    ...reviewed.flatMap((was) => {
      const change = changes.get(was.address);
      return change === undefined
        ? movedWithoutChange(was, now, held.get(was.address), fingerprint)
        : movedChange(was, change);
    }),
    ...now.changes
      .filter(({ address }) => !planned.has(address))
      .map((change) => notReviewed(change, isNewlyManaged)),
  ];
}

/** The configuration moved where what is desired is another value; else the server did. */
function movedChange(was: Change<null>, now: Change): readonly Moved[] {
  const { address } = was;
  if (!sameAfter(was, now)) {
    const after = was.sensitive && now.sensitive ? OTHER_SECRET : afterWords(now);
    return [{ address, before: afterWords(was), now: after, by: 'configuration' }];
  }
  if (sameBefore(was, now)) return [];
  const [before, after] = [beforeWords(was), beforeWords(now)];
  return [{ address, before, now: before === after ? OTHER_SECRET : after }];
}

function sameAfter(was: Change<null>, now: Change): boolean {
  if (was.field !== now.field || was.sensitive !== now.sensitive) return false;
  if (now.field !== 'value' || was.field !== 'value') return was.after === now.after;
  if (now.option !== was.option) return false;
  if (now.sensitive && was.sensitive)
    return now.fingerprint !== undefined && now.fingerprint === was.fingerprint;
  return identical(was.after, now.after);
}

function sameBefore(was: Change<null>, now: Change): boolean {
  if (was.field !== 'value' || now.field !== 'value') return was.before === now.before;
  if (was.sensitive && now.sensitive)
    return was.beforeFingerprint === now.beforeFingerprint && was.unreadable === now.unreadable;
  return sameContent(was.before, now.before);
}

/** How the field of a reviewed change without a change now moved; not at all where it is at the planned value. */
function movedWithoutChange(
  was: Change<null>,
  { name, cannotTell }: IntegrationPlan,
  held: HeldField | undefined,
  fingerprint: Fingerprint,
): readonly Moved[] {
  const { address } = was;
  if (held !== undefined) {
    if (isAtPlanned(was, held, fingerprint)) return [];
    const now = isHidden(held.value) || was.sensitive ? OTHER_SECRET : valueWords(held.value);
    return [{ address, before: afterWords(was), now, by: 'configuration' }];
  }
  const option = was.field === 'autosubscribe' ? undefined : `${name}.options.${was.option}`;
  const isUntold = cannotTell.some((each) => each.address === address || each.address === option);
  if (isUntold) return [{ address, before: beforeWords(was), now: was.sensitive ? 'unreadable' : UNTOLD }];
  return [movedAway(was, true)];
}

function isAtPlanned(was: Change<null>, { address, value }: HeldField, fingerprint: Fingerprint): boolean {
  if (was.field !== 'value' || !was.sensitive) return identical(was.after, reveal(value));
  return fingerprint(address, value) === was.fingerprint;
}

/** A change whose field is no longer managed, or whose integration the server no longer has. */
function movedAway(was: Change<null>, isInstalled: boolean): Moved {
  const { address } = was;
  if (!isInstalled) return { address, before: beforeWords(was), now: 'gone with its integration' };
  return { address, before: afterWords(was), now: 'left alone', by: 'configuration' };
}

/** A change that was not reviewed. A plan does not list what it found as desired, so either side may have moved. */
function notReviewed(change: Change, isNewlyManaged: boolean): Moved {
  const sides = { address: change.address, before: beforeWords(change), now: afterWords(change) };
  if (!isNewlyManaged) return { ...sides, by: 'either' };
  return { ...sides, before: 'left alone', by: 'configuration' };
}

function unplanned({ name, id }: Reviewed): IntegrationPlan {
  return { name, id, status: null, blocked: false, changes: [], cannotTell: [], unmanagedOptions: 0 };
}
