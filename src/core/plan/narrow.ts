import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import { sameContent } from '../model/value.ts';
import type { WriteEnd } from './judge.ts';
import {
  type Change,
  type ChangeDocument,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
  type ServerPlan,
  sidesOf,
} from './plan.ts';

/**
 * Compares a plan made again, from which all unreviewed changes were left out, with the document that was reviewed. An
 * integration is written if each reviewed change has the same two sides as then, or is at its planned value already; the
 * verdicts say by id which are not, and why.
 */
export function narrow(
  plan: ServerPlan,
  {
    same,
    installed,
  }: {
    /** What is as desired in its integrations. */
    readonly same: ReadonlyMap<string, readonly Change[]>;
    readonly installed: ReadonlySet<string>;
  },
  shown: ServerDocument,
) {
  const verdicts = new Map<string, WriteEnd>();
  const integrations = new Map(plan.integrations.map((each) => [each.id, each]));
  for (const was of shown.integrations) {
    if (was.changes.length === 0) continue;
    const { id, name } = was;
    const now = integrations.get(id);
    if (now?.name !== name) {
      const by = installed.has(id) ? 'configuration' : 'server';
      verdicts.set(id, { kind: 'stale', moved: [{ address: name, by }] });
      integrations.set(id, { ...NOTHING, name, id, status: null });
      // The error of an unplanned integration is reported, and nothing of it is written.
    } else if (!now.unplanned) {
      const verdict = verdictOf(was, now, same.get(id) ?? []);
      if (verdict !== undefined) verdicts.set(id, verdict);
      integrations.set(id, relabelled(now, was));
    }
  }
  const sorted = [...integrations.values()].sort((a, b) => compareText(a.name, b.name));
  return { plan: { ...plan, integrations: sorted }, verdicts };
}

/** An integration with the labels that were reviewed. */
function relabelled(integration: IntegrationPlan, reviewed: IntegrationDocument): IntegrationPlan {
  const byAddress = new Map(reviewed.changes.map((change) => [change.address, change]));
  const changes = integration.changes.map((change) => {
    const was = byAddress.get(change.address);
    return was === undefined ? change : { ...change, label: was.label, ...present({ base: was.base }) };
  });
  return { ...integration, changes };
}

/** Undefined if the integration is to be written. */
function verdictOf(
  reviewed: IntegrationDocument,
  { changes, cannotTell }: IntegrationPlan,
  same: readonly Change[],
): WriteEnd | undefined {
  const fields = new Map([...changes, ...same].map((each) => [each.address, each]));
  const done = new Set(same);
  const hidden = new Set(cannotTell.map(({ address }) => address));
  const moved = reviewed.changes.flatMap((was): Moved[] => {
    const { address } = was;
    const field = fields.get(address);
    const gone = hidden.has(address) ? 'server' : 'configuration';
    const by = field === undefined ? gone : movedBy(was, sidesOf(field), done.has(field));
    return by === undefined ? [] : [{ address, by }];
  });
  if (moved.length > 0) return { kind: 'stale', moved };
  return changes.length > 0 ? undefined : { kind: 'done' };
}

/** Which side of a change moved, if any. What is as desired now need not be as it was; the live side of a secret is unknown. */
function movedBy(
  was: ChangeDocument,
  now: ReturnType<typeof sidesOf>,
  isDone: boolean,
): Moved['by'] | undefined {
  if (was.secret && (now.secret || isDone))
    return was.reference === now.reference && was.rotated === now.rotated ? undefined : 'configuration';
  if (was.secret || now.secret || !sameContent(was.after, now.after)) return 'configuration';
  return isDone || sameContent(was.before, now.before) ? undefined : 'server';
}
