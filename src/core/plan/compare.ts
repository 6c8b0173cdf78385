import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { sameContent } from '../model/value.ts';
import { comparedAfter, comparedBefore, type Keys, keysOf } from './compare-secret.ts';
import type { HeldField } from './diff.ts';
import { afterWords, beforeWords, OTHER_SECRET, UNTOLD, valueWords } from './field-state.ts';
import { type Fingerprints, isFingerprinted, lacksFingerprints } from './fingerprint.ts';
import type { Change, IntegrationPlan, SecretChange, ServerPlan } from './plan.ts';
import type { Planned } from './plan-server.ts';

/** What is left to do in one integration of a reviewed plan; `stale` where that is not part of what was reviewed. */
export type Verdict =
  | { readonly kind: 'write' }
  | { readonly kind: 'done' }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] };

/** A plan made again, and what to do with each integration that it or the reviewed plan changes, by id. */
interface Compared {
  readonly plan: ServerPlan;
  /** Whether the reviewed plan has fingerprints under a key that this run does not have. */
  readonly isOtherKey: boolean;
  /** Whether secrets that are not stale were compared by their references alone, for want of a key. */
  readonly isByReference: boolean;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

type Reviewed = IntegrationPlan<null>;

/** What an integration is compared with, beside its reviewed changes. */
interface Context {
  readonly held: ReadonlyMap<string, HeldField>;
  readonly keys: Keys;
  readonly isAsked: (address: string) => boolean;
}

/**
 * Compares a plan made again with the one that was reviewed, which can only narrow it: an integration is written where each
 * change was reviewed, and the field of each reviewed change that is missing is at its planned value. Values are compared by
 * their content: what is written is today's value, so a reviewed one in another form can make nothing else of it. `isAsked` tells
 * which secrets this run itself is to write though they cannot be read; where it has a key, a reviewed plan proves it by a
 * fingerprint alone.
 */
export function compare(
  { plan, held, installed }: Planned,
  reviewed: ServerPlan<null>,
  fingerprints: Fingerprints | undefined,
  isAsked: (address: string) => boolean = () => false,
): Compared {
  // A plan that was edited may name an integration twice: then all of it has to hold.
  const managed = reviewed.integrations.filter(({ released }) => released !== true);
  const byName = grouped(managed, ({ name }) => name);
  const names = new Set(plan.integrations.map(({ name }) => name));
  const left = reviewed.integrations.filter(({ name, changes }) => changes.length > 0 && !names.has(name));
  const renamed = new Map(left.map(({ id, name }) => [id, name]));
  const keys = keysOf(reviewed.fingerprintKey, fingerprints);
  const verdicts = plan.integrations.flatMap((now): [string, Verdict][] => {
    const reviews = byName.get(now.name) ?? [];
    // Its error is told, and it is not written.
    if (now.unplanned) return [];
    if ([now, ...reviews].every(({ changes }) => changes.length === 0)) return [];
    const fields = new Map((held.get(now.id) ?? []).map((field) => [field.address, field]));
    const context = { held: fields, keys, isAsked };
    const moved =
      movedName(now, renamed.get(now.id)) ??
      movedId(now, reviews, installed) ??
      withoutPart(now, reviews) ??
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
  const integrations = [...plan.integrations, ...gone.map(withoutChanges)];
  integrations.sort((a, b) => compareText(a.name, b.name));
  const all = new Map([...verdicts, ...goneVerdicts]);
  const isOpen = ({ id }: Reviewed) => all.get(id)?.kind !== 'stale';
  const open = { ...reviewed, integrations: reviewed.integrations.filter(isOpen) };
  return {
    plan: { ...plan, integrations },
    isOtherKey: keys.isOther,
    isByReference: lacksFingerprints(open),
    verdicts: all,
  };
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

/** An error kept it from being planned when the plan was made, so nothing of it was reviewed. */
function withoutPart(
  { name, changes }: IntegrationPlan,
  reviews: readonly Reviewed[],
): readonly Moved[] | undefined {
  const isUnreviewed = changes.length > 0 && reviews.some(({ unplanned }) => unplanned);
  return isUnreviewed ? [{ address: name, by: 'unplanned' }] : undefined;
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
function movedChange(was: Change<null>, now: Change, context: Context): readonly Moved[] {
  const { address } = was;
  if (was.sensitive && now.sensitive) return movedSecret(was, now, context);
  if (was.sensitive || now.sensitive || !sameContent(was.after, now.after))
    return [{ address, by: 'configuration', before: afterWords(was), now: afterWords(now) }];
  if (sameContent(was.before, now.before)) return [];
  return [{ address, by: 'server', before: beforeWords(was), now: beforeWords(now) }];
}

function movedSecret(
  was: SecretChange<null>,
  now: SecretChange,
  { keys, isAsked }: Context,
): readonly Moved[] {
  const after = comparedAfter(was, { ...now, value: now.after }, keys);
  const by = after === 'same' ? comparedBefore(was, now, keys) : after;
  const { address } = was;
  // Only the reviewed plan asks for it, and whoever edits that can ask for any: under a key, a fingerprint proves that it did.
  const isProvable = keys.fingerprints !== undefined && isFingerprinted(reveal(now.after));
  const isUnproven =
    now.unreadable === true && isProvable && was.fingerprint === undefined && !isAsked(address);
  if (by === 'same') return isUnproven ? [{ address, by: 'unseen' }] : [];
  if (by === 'key' || by === 'literal') return [{ address, by }];
  if (by === 'configuration') return [{ address, by, before: afterWords(was), now: OTHER_SECRET }];
  const [before, live] = [beforeWords(was), beforeWords(now)];
  return [{ address, by, before, now: before === live ? OTHER_SECRET : live }];
}

/** How the field of a reviewed change without a change now moved; not at all where it is at the planned value. */
function movedWithoutChange(
  was: Change<null>,
  { cannotTell, waived = [] }: IntegrationPlan,
  { held, keys }: Context,
): readonly Moved[] {
  const { address } = was;
  if (waived.some((each) => each.address === address)) return [{ address, by: 'waived' }];
  const field = held.get(address);
  if (field !== undefined) {
    const by = comparedHeld(was, field, keys);
    if (by === 'same') return [];
    if (by === 'key' || by === 'literal') return [{ address, by }];
    const now = isHidden(field.value) || was.sensitive ? OTHER_SECRET : valueWords(field.value);
    return [{ address, by: 'configuration', before: afterWords(was), now }];
  }
  const isUntold = cannotTell.some((each) => each.address === address);
  const now = was.sensitive ? 'unreadable' : UNTOLD;
  if (isUntold) return [{ address, by: 'server', before: beforeWords(was), now }];
  return [movedAway(was, true)];
}

/** Compares a field that is as desired with what the reviewed plan was to make of it. */
function comparedHeld(was: Change<null>, field: HeldField, keys: Keys) {
  if (was.sensitive) return comparedAfter(was, field, keys);
  return sameContent(was.after, reveal(field.value)) ? 'same' : 'configuration';
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

function withoutChanges({ name, id }: Reviewed): IntegrationPlan {
  return { name, id, status: null, blocked: false, changes: [], cannotTell: [], unmanagedOptions: 0 };
}
