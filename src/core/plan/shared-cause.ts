import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { IntegrationPlan } from './plan.ts';
import type { Written } from './written.ts';

/** Why a server refused a change, where that says nothing about the values that were sent. */
interface Cause {
  readonly kind: 'forbidden' | 'stopped' | 'unexplained';
  /** The status of an answer that gives no reason. */
  readonly status?: number;
}

/** An integration of which nothing was written, for a cause that others may share. */
export interface Refused {
  readonly integration: string;
  readonly cause: Cause;
  /** What the server said. */
  readonly detail: readonly string[];
  readonly place: Place | undefined;
}

/** The cause of a refusal; undefined where the server names a value, or gives a reason of its own. */
export function sharedCause(written: Written, { blocked }: IntegrationPlan): Cause | undefined {
  if (written.kind !== 'refused') return undefined;
  const { forbidden, reasons = [], unexplained: status } = written;
  if (forbidden) return { kind: 'forbidden' };
  if (blocked) return reasons.some(({ place }) => place !== undefined) ? undefined : { kind: 'stopped' };
  return status === undefined ? undefined : { kind: 'unexplained', status };
}

/** One finding for all integrations with the same cause. `isAll` tells that all that were attempted were forbidden. */
export function sharedFindings(all: readonly Refused[], isAll: boolean): Diagnostic[] {
  const groups = grouped(all, ({ cause }) => JSON.stringify(cause));
  return [...groups.values()].flatMap((refused) => {
    const [first] = refused;
    return first === undefined ? [] : [sharedFinding(first, refused, isAll)];
  });
}

function sharedFinding(first: Refused, refused: readonly Refused[], isAll: boolean): Diagnostic {
  const { kind, status = 0 } = first.cause;
  const integrations = refused.map(({ integration }) => integration);
  const detail = [...new Set(refused.flatMap((each) => each.detail))];
  const place = refused.length === 1 ? first.place : undefined;
  if (kind === 'stopped') return diagnostic('apply-blocked', { integrations, detail }, place);
  if (kind === 'unexplained') return diagnostic('apply-unexplained', { integrations, status }, place);
  return isAll
    ? diagnostic('not-permitted', { request: 'PATCH', ...present({ detail: detail[0] }) })
    : diagnostic('apply-forbidden', { integrations, detail }, place);
}
