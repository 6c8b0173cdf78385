import type { Moved } from '../findings/apply.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { sameContent } from '../model/value.ts';
import type { History, Past } from './base.ts';
import { sidesOf } from './document.ts';
import {
  type Change,
  type ChangeDocument,
  type Field,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
  type WriteEnd,
} from './plan.ts';

/**
 * The history by the plan that was reviewed. An integration is written if each reviewed change has the same two sides as then, or
 * is at its planned value already.
 */
export function sinceReview(
  { integrations }: ServerDocument,
  live: ReadonlyMap<string, LiveIntegration>,
): History {
  const byId = new Map(integrations.map((each) => [each.id, each]));
  return {
    of: (id) => pastOf(byId.get(id)),
    gone: (planned) => {
      const ids = new Set(planned.map(({ id }) => id));
      const gone = integrations.filter(({ id, changes }) => changes.length > 0 && !ids.has(id));
      return gone.map((each) => moved(each, live.has(each.id) ? 'configuration' : 'server'));
    },
  };
}

function pastOf(reviewed: IntegrationDocument | undefined): Past {
  const changes = new Map(reviewed?.changes.map((change) => [change.address, change]));
  const secrets = new Set(reviewed?.changes.filter(isSecret).map(({ address }) => optionOf(address)));
  const relabelled = (change: Change) => {
    const { label, base } = changes.get(change.address) ?? change;
    return { ...change, label, ...present({ base }) };
  };
  return {
    isMeant: (_, address) => changes.has(address),
    secrecyOf: (option) =>
      secrets.has(`${reviewed?.name}.options.${option}`) ? { isFromOutside: true } : undefined,
    complete: (plan, fields) => {
      if (reviewed === undefined || changes.size === 0) return plan;
      if (reviewed.name !== plan.name) return moved(reviewed, 'configuration');
      const end = endOf(reviewed, fields);
      return { ...plan, changes: plan.changes.map(relabelled), ...present({ end }) };
    },
  };
}

function isSecret({ secret, risks }: ChangeDocument): boolean {
  return secret === true || risks.includes('exposes-secret');
}

/** The address of the option of a field. */
function optionOf(address: string): string {
  return address.replace(/\.\w+$/, '');
}

/** An integration that is not planned as it was reviewed. */
function moved({ name, id }: IntegrationDocument, by: Moved['by']): IntegrationPlan {
  return { ...NOTHING, name, id, status: null, end: { kind: 'stale', moved: [{ address: name, by }] } };
}

/** Undefined if the integration is to be written. */
function endOf(reviewed: IntegrationDocument, fields: readonly Field[]): WriteEnd | undefined {
  const byAddress = new Map(fields.map((field) => [field.address, field]));
  const moved = reviewed.changes.flatMap((was): Moved[] => {
    const by = movedBy(was, byAddress.get(was.address));
    return by === undefined ? [] : [{ address: was.address, by }];
  });
  if (moved.length > 0) return { kind: 'stale', moved };
  return fields.some(({ fate }) => fate === 'changed') ? undefined : { kind: 'done' };
}

/** Which side of a change moved, if any. What is as desired now need not be as it was; the live side of a secret is unknown. */
function movedBy(was: ChangeDocument, field: Field | undefined): Moved['by'] | undefined {
  if (field === undefined) return 'configuration';
  const now = sidesOf(field);
  const isDone = field.fate === 'same';
  if (was.secret && (now.secret || isDone))
    return was.reference === now.reference && was.rotated === now.rotated ? undefined : 'configuration';
  if (was.secret || now.secret || !sameContent(was.after, now.after)) return 'configuration';
  return isDone || sameContent(was.before, now.before) ? undefined : 'server';
}
