import { validate } from '../../generated/plan-validator.js';
import { isCostlyGlob } from '../model/glob.ts';
import { shapeProblem, versionProblem } from '../model/saved-form.ts';
import {
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  type IntegrationDocument,
  type ServerDocument,
} from './document.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';

/** The plans of a run that were read from a file, before or after an apply. */
export interface SavedReport {
  /** As it was read: every renderer takes it. */
  readonly document: Document;
  readonly servers: readonly ServerPlan<null>[];
}

/**
 * A plan from a file, or why it cannot be applied. It may have been edited: it is compared with a new plan, and can only
 * narrow that.
 */
export function decodeSavedPlan(document: unknown): SavedReport | { readonly problem: string } {
  const saved = decodeSavedReport(document);
  if ('problem' in saved) return saved;
  if (saved.document.complete !== true) return { problem: NO_PLAN };
  if (isApplied(saved.servers))
    return { problem: 'it is the report of an apply: show takes it, and apply takes the report of a plan' };
  const isOffline = saved.servers.some(({ snapshot }) => snapshot !== undefined);
  return isOffline ? { problem: 'it was made from a snapshot, not from the server' } : saved;
}

const NO_PLAN = 'it is the report of a run that made no complete plan';

/** The report of a plan or of an apply from a file, or why it cannot be shown. */
export function decodeSavedReport(document: unknown): SavedReport | { readonly problem: string } {
  const version = versionProblem(document, FORMAT_VERSION, 'a report of setpoint plan --report json');
  if (version !== undefined) return { problem: version };
  if (!validate(document)) return { problem: shapeProblem(validate.errors ?? [], 'a plan') };
  // It has the shape of the schema, which the type is made from.
  const read = document as Document;
  const servers = read.servers.map(planOf);
  if (servers.length === 0) return { problem: NO_PLAN };
  if (new Set(servers.map(({ name }) => name)).size < servers.length)
    return { problem: 'it names a server twice' };
  if (servers.some(({ only }) => only !== undefined && isCostlyGlob(only)))
    return { problem: 'a glob in it has too many wildcards' };
  return { document: read, servers };
}

/** Whether plans say what became of them. */
function isApplied(servers: readonly ServerPlan<null>[]): boolean {
  return servers.some(({ integrations }) => integrations.some(({ outcome }) => outcome !== undefined));
}

/** The plan of a server in a document, as it is compared and shown. */
function planOf({ name, url, snapshot, only, base, policy, ...server }: ServerDocument): ServerPlan<null> {
  const { summary, integrations } = server;
  const plans = integrations.map(integrationOf);
  return {
    ...{ name, url, only, base },
    snapshot: snapshot && { takenAt: snapshot.takenAt, days: 0 },
    policy: policy as ServerPlan['policy'],
    summary,
    integrations: plans,
  };
}

function integrationOf({
  name,
  id,
  status,
  unplanned,
  changes,
  ...each
}: IntegrationDocument): IntegrationPlan<null> {
  const source = { file: '', line: 1, column: 1 };
  const isRunning = status === null || status === 'running';
  return {
    ...{ name, id, status, unplanned },
    blocked: changes.length > 0 && !isRunning,
    changes: changes.map((change) => changeOf(change, name)),
    cannotTell: each.hidden.map((address) => ({ address, reason: 'absent', source })),
    unmanagedOptions: 0,
    outcome: changes[0]?.outcome,
  };
}

function changeOf(
  { address, before, after, secret, hidden, ...rest }: ChangeDocument,
  name: string,
): Change<null> {
  const field = address.slice(address.lastIndexOf('.') + 1);
  const option = address.slice(`${name}.options.`.length, -field.length - 1);
  const live = hidden === true && field === 'permission' ? 'unknown' : before;
  return {
    ...rest,
    ...{ address, field, sensitive: secret === true, before: live, after, unreadable: hidden },
    ...(field === 'autosubscribe' ? {} : { option }),
    // The schema says which values a field may have.
  } as Change<null>;
}
