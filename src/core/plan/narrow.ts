import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import { present } from '../model/present.ts';
import { reveal } from '../model/secret.ts';
import { sameContent } from '../model/value.ts';
import type { HeldField } from './diff.ts';
import { type ChangeDocument, type IntegrationDocument, type ServerDocument, sidesOf } from './document.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';
import type { Planned } from './plan-server.ts';

/** What is left to do in one integration of a reviewed plan; `stale` if a reviewed change no longer holds. */
export type Verdict =
  | { readonly kind: 'write' }
  | { readonly kind: 'done' }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] };

/** A plan made again with the reviewed changes alone, and a verdict for each integration, by id. */
interface Narrowed {
  readonly plan: ServerPlan;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * Compares a plan made again, from which all unreviewed changes were left out, with the document that was reviewed. An
 * integration is written if each reviewed change has the same two sides as then, or is at its planned value already.
 */
export function narrow({ plan, held, installed }: Planned, shown: ServerDocument): Narrowed {
  const reviewed = shown.integrations.filter(({ changes }) => changes.length > 0);
  const byName = grouped(reviewed, ({ name }) => name);
  const verdicts = plan.integrations.flatMap((now): [string, Verdict][] => {
    const reviews = byName.get(now.name) ?? [];
    // The error of an unplanned integration is reported, and nothing of it is written.
    if (now.unplanned || reviews.length === 0) return [];
    const fields = new Map((held.get(now.id) ?? []).map((field) => [field.address, field]));
    return [[now.id, verdictOf(now, reviews, fields, installed)]];
  });
  const names = new Set(plan.integrations.map(({ name }) => name));
  const gone = reviewed.filter(({ name }) => !names.has(name)).map(withoutChanges);
  const goneVerdicts = gone.map(({ id, name }): [string, Verdict] => [
    id,
    { kind: 'stale', moved: [{ address: name, by: installed.has(id) ? 'configuration' : 'server' }] },
  ]);
  const all = [...plan.integrations.map((each) => relabelled(each, byName)), ...gone];
  const integrations = all.sort((a, b) => compareText(a.name, b.name));
  return { plan: { ...plan, integrations }, verdicts: new Map([...verdicts, ...goneVerdicts]) };
}

/** An integration with the labels that were reviewed. */
function relabelled(
  integration: IntegrationPlan,
  reviewed: ReadonlyMap<string, readonly IntegrationDocument[]>,
): IntegrationPlan {
  const shown = (reviewed.get(integration.name) ?? []).flatMap(({ changes }) => changes);
  const byAddress = new Map(shown.map((change) => [change.address, change]));
  const changes = integration.changes.map((change) => {
    const was = byAddress.get(change.address);
    return was === undefined ? change : { ...change, label: was.label, ...present({ base: was.base }) };
  });
  return { ...integration, changes };
}

function verdictOf(
  now: IntegrationPlan,
  reviews: readonly IntegrationDocument[],
  held: ReadonlyMap<string, HeldField>,
  installed: ReadonlySet<string>,
): Verdict {
  const other = reviews.find(({ id }) => id !== now.id);
  if (other !== undefined) {
    const by = installed.has(other.id) ? 'configuration' : 'server';
    return { kind: 'stale', moved: [{ address: now.name, by }] };
  }
  const changes = new Map(now.changes.map((change) => [change.address, change]));
  const hidden = new Set(now.cannotTell.map(({ address }) => address));
  const moved = reviews
    .flatMap((each) => each.changes)
    .flatMap((was): Moved[] => {
      const { address } = was;
      const change = changes.get(address);
      const by = change === undefined ? heldMove(was, held.get(address)) : changeMove(was, sidesOf(change));
      if (by === undefined) return [];
      return [{ address, by: change === undefined && hidden.has(address) ? 'server' : by }];
    });
  if (moved.length > 0) return { kind: 'stale', moved };
  return { kind: now.changes.length > 0 ? 'write' : 'done' };
}

/** Which side of a change moved; undefined if none did. The live side of a secret is never known. */
function changeMove(was: ChangeDocument, now: ReturnType<typeof sidesOf>): Moved['by'] | undefined {
  if (was.secret || now.secret) {
    return was.secret && now.secret && isSameSecret(was, now) ? undefined : 'configuration';
  }
  if (!sameContent(was.after, now.after)) return 'configuration';
  return sameContent(was.before, now.before) ? undefined : 'server';
}

/** The same for a field that is as desired now: it is done if that is what was reviewed. */
function heldMove(was: ChangeDocument, now: HeldField | undefined): Moved['by'] | undefined {
  if (now === undefined) return 'configuration';
  const isSame = was.secret ? isSameSecret(was, now) : sameContent(was.after, reveal(now.value));
  return isSame ? undefined : 'configuration';
}

/** What a secret is reviewed by. */
interface SecretDeclaration {
  readonly reference?: string | undefined;
  readonly rotated?: string | undefined;
}

function isSameSecret(was: SecretDeclaration, now: SecretDeclaration): boolean {
  return was.reference === now.reference && was.rotated === now.rotated;
}

function withoutChanges({ name, id }: IntegrationDocument): IntegrationPlan {
  return { name, id, status: null, blocked: false, changes: [], cannotTell: [], unmanagedOptions: 0 };
}
