import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
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
  /** Whether the two plans have fingerprints under different keys, so that no secret can be compared. */
  readonly isOtherKey: boolean;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

type Reviewed = IntegrationPlan<null>;

/** What an integration is compared with, beside its reviewed changes. */
interface Context {
  readonly held: ReadonlyMap<string, HeldField>;
  readonly fingerprint: Fingerprint;
  readonly isOtherKey: boolean;
}

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
  const byName = grouped(reviewed.integrations, ({ name }) => name);
  const names = new Set(plan.integrations.map(({ name }) => name));
  const left = reviewed.integrations.filter(({ name, changes }) => changes.length > 0 && !names.has(name));
  const renamed = new Map(left.map(({ id, name }) => [id, name]));
  const isOtherKey = isOther(plan.fingerprintKey, reviewed.fingerprintKey);
  const verdicts = plan.integrations.flatMap((now): [string, Verdict][] => {
    const reviews = byName.get(now.name) ?? [];
    if ([now, ...reviews].every(({ changes }) => changes.length === 0)) return [];
    const fields = new Map((held.get(now.id) ?? []).map((field) => [field.address, field]));
    const context = { held: fields, fingerprint, isOtherKey };
    const moved =
      movedName(now, renamed.get(now.id)) ??
      movedId(now, reviews, installed) ??
      movedFields(now, reviews, context);
    if (moved.length > 0) return [[now.id, { kind: 'stale', moved }]];
    return [[now.id, { kind: now.changes.length > 0 ? 'write' : 'done' }]];
  });
  const planned = new Set(plan.integrations.map(({ id }) => id));
  const gone = left.filter(({ id }) => !planned.has(id));
  const goneVerdicts = gone.map(({ id, changes }): [string, Verdict] => [
    id,
    { kind: 'stale', moved: changes.map((change) => movedAway(change, installed.has(id))) },
  ]);
  const integrations = [...plan.integrations, ...gone.map(unplanned)];
  integrations.sort((a, b) => compareText(a.name, b.name));
  return { plan: { ...plan, integrations }, isOtherKey, verdicts: new Map([...verdicts, ...goneVerdicts]) };
}

function isOther(key: string | undefined, other: string | undefined): boolean {
  return key !== undefined && other !== undefined && key !== other;
}

/** The configuration has the integration under another name, so under other addresses. */
function movedName({ changes }: IntegrationPlan, name: string | undefined): readonly Moved[] | undefined {
  if (name === undefined) return undefined;
  return [{ address: name, by: 'unmanaged' }, ...changes.map(newlyManaged)];
}

/** The name means another integration now: the configuration selects another one, or the server has replaced it. */
function movedId(
  { name, id }: IntegrationPlan,
  reviews: readonly Reviewed[],
  installed: ReadonlySet<string>,
): readonly Moved[] | undefined {
  const other = reviews.find((each) => each.id !== id);
  if (other === undefined) return undefined;
  const by = installed.has(other.id) ? 'configuration' : 'server';
  return [{ address: name, by, before: other.id, now: id }];
}

function movedFields(now: IntegrationPlan, reviews: readonly Reviewed[], context: Context): readonly Moved[] {
  const reviewed = reviews.flatMap(({ changes }) => changes);
  const planned = new Set(reviewed.map(({ address }) => address));
  const changes = new Map(now.changes.map((change) => [change.address, change]));
  const isNewlyManaged = reviews.some(({ unmanagedOptions = 0 }) => unmanagedOptions > now.unmanagedOptions);
  return [
    ...reviewed.flatMap((was) => {
      const change = changes.get(was.address);
      return change === undefined ? movedWithoutChange(was, now, context) : movedChange(was, change, context);
    }),
    ...now.changes
      .filter(({ address }) => !planned.has(address))
      .map((change) => notReviewed(change, isNewlyManaged)),
  ];
}

/** The configuration moved where what is desired is another value; else the server did. */
function movedChange(was: Change<null>, now: Change, { isOtherKey }: Context): readonly Moved[] {
  const { address } = was;
  if (!sameAfter(was, now)) {
    const isSecret = was.sensitive && now.sensitive;
    if (isSecret && isOtherKey) return [{ address, by: 'key' }];
    return [
      {
        address,
        by: 'configuration',
        before: afterWords(was),
        now: isSecret ? OTHER_SECRET : afterWords(now),
      },
    ];
  }
  if (sameBefore(was, now)) return [];
  const [before, after] = [beforeWords(was), beforeWords(now)];
  return [{ address, by: 'server', before, now: before === after ? OTHER_SECRET : after }];
}

function sameAfter(was: Change<null>, now: Change): boolean {
  if (was.field !== now.field || was.sensitive !== now.sensitive) return false;
  if (now.field !== 'value' || was.field !== 'value') return was.after === now.after;
  if (now.option !== was.option) return false;
  if (now.sensitive && was.sensitive)
    return now.fingerprint !== undefined && now.fingerprint === was.fingerprint;
  return identical(was.after, now.after);
}

/** A secret that was empty and cannot be read now may have been written by an apply that was torn: it is written again. */
function sameBefore(was: Change<null>, now: Change): boolean {
  if (was.field !== 'value' || now.field !== 'value') return was.before === now.before;
  if (was.sensitive && now.sensitive) return was.beforeFingerprint === now.beforeFingerprint;
  return sameContent(was.before, now.before);
}

/** How the field of a reviewed change without a change now moved; not at all where it is at the planned value. */
function movedWithoutChange(
  was: Change<null>,
  { name, cannotTell }: IntegrationPlan,
  { held, fingerprint, isOtherKey }: Context,
): readonly Moved[] {
  const { address } = was;
  const field = held.get(address);
  if (field !== undefined) {
    if (isAtPlanned(was, field, fingerprint)) return [];
    if (was.sensitive && isOtherKey) return [{ address, by: 'key' }];
    const now = isHidden(field.value) || was.sensitive ? OTHER_SECRET : valueWords(field.value);
    return [{ address, by: 'configuration', before: afterWords(was), now }];
  }
  const option = was.field === 'autosubscribe' ? undefined : `${name}.options.${was.option}`;
  const isUntold = cannotTell.some((each) => each.address === address || each.address === option);
  const now = was.sensitive ? 'unreadable' : UNTOLD;
  if (isUntold) return [{ address, by: 'server', before: beforeWords(was), now }];
  return [movedAway(was, true)];
}

function isAtPlanned(was: Change<null>, { address, value }: HeldField, fingerprint: Fingerprint): boolean {
  if (was.field !== 'value' || !was.sensitive) return identical(was.after, reveal(value));
  return fingerprint(address, value) === was.fingerprint;
}

/** A change whose field is no longer managed, or whose integration the server no longer has. */
function movedAway(was: Change<null>, isInstalled: boolean): Moved {
  const { address } = was;
  if (isInstalled) return { address, by: 'unmanaged' };
  return { address, by: 'server', before: beforeWords(was), now: 'gone with its integration' };
}

/** A plan does not say what it found as desired, so nobody can tell which of the two sides moved. */
function notReviewed(change: Change, isNewlyManaged: boolean): Moved {
  if (isNewlyManaged) return newlyManaged(change);
  const { address } = change;
  return { address, by: 'either', before: beforeWords(change), now: afterWords(change) };
}

function newlyManaged(change: Change): Moved {
  return { address: change.address, by: 'managed', now: afterWords(change) };
}

function unplanned({ name, id }: Reviewed): IntegrationPlan {
  return { name, id, status: null, blocked: false, changes: [], cannotTell: [], unmanagedOptions: 0 };
}
