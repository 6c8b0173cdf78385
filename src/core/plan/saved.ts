import { validate } from '../../generated/plan-validator.js';
import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/glob.ts';
import { present } from '../model/json.ts';
import { shapeProblem, versionProblem } from '../model/saved-form.ts';
import { sameContent } from '../model/value.ts';
import {
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  type IntegrationDocument,
  type ServerDocument,
  sidesOf,
} from './document.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';
import type { Planned } from './plan-server.ts';

type Decoded = { readonly document: Document } | { readonly problem: string };

/**
 * Decodes a plan from a file, or says why it cannot be applied. It may have been edited: it is compared with a new plan, and
 * can only narrow that.
 */
export function decodeSavedPlan(raw: unknown): Decoded {
  const saved = decodeSavedReport(raw);
  if ('problem' in saved) return saved;
  const { complete, servers } = saved.document;
  if (complete !== true) return { problem: NO_PLAN };
  if (servers.some(isApplied))
    return { problem: 'it is the report of an apply: show takes it, and apply takes the report of a plan' };
  const isOffline = servers.some(({ snapshot }) => snapshot !== undefined);
  return isOffline ? { problem: 'it was made from a snapshot, not from the server' } : saved;
}

const NO_PLAN = 'it is the report of a run that made no complete plan';

/** Decodes the document of a plan or of an apply, or says why it cannot be shown. */
export function decodeSavedReport(raw: unknown): Decoded {
  const version = versionProblem(raw, FORMAT_VERSION, 'a report of setpoint plan --report json');
  if (version !== undefined) return { problem: version };
  if (!validate(raw)) return { problem: shapeProblem(validate.errors ?? [], 'a plan') };
  // It has the shape of the schema, which the type is made from.
  const document = raw as Document;
  const { servers } = document;
  if (servers.length === 0) return { problem: NO_PLAN };
  if (hasTwice(servers.map(({ name }) => name))) return { problem: 'it names a server twice' };
  if (servers.some(({ integrations }) => hasTwice(integrations.map(({ id }) => id))))
    return { problem: 'it names an integration twice' };
  if (servers.some(({ only }) => only !== undefined && isCostlyGlob(only)))
    return { problem: 'a glob in it has too many wildcards' };
  return { document };
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** Whether a plan says what became of it. */
function isApplied({ integrations }: ServerDocument): boolean {
  return integrations.some(({ changes }) => changes.some(({ outcome }) => outcome !== undefined));
}

/** What is left to do in one integration of a reviewed plan; `stale` if a reviewed change no longer holds. */
export type Verdict =
  | { readonly kind: 'write' }
  | { readonly kind: 'done' }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] };

/** A plan made again with only the reviewed changes, and a verdict for each integration, by id. */
interface Narrowed {
  readonly plan: ServerPlan;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * Compares a plan made again, from which all unreviewed changes were left out, with the document that was reviewed. An
 * integration is written if each reviewed change has the same two sides as then, or is at its planned value already.
 */
export function narrow({ plan, same, installed }: Planned, shown: ServerDocument): Narrowed {
  const now = new Map(plan.integrations.map((each) => [each.id, each]));
  const reviewed = shown.integrations.filter(({ changes }) => changes.length > 0);
  const isGone = ({ id, name }: IntegrationDocument) => now.get(id)?.name !== name;
  const verdicts = reviewed.flatMap((was): [string, Verdict][] => {
    const { id, name } = was;
    const by = installed.has(id) ? 'configuration' : 'server';
    if (isGone(was)) return [[id, { kind: 'stale', moved: [{ address: name, by }] }]];
    const integration = now.get(id);
    // The error of an unplanned integration is reported, and nothing of it is written.
    if (integration === undefined || integration.unplanned) return [];
    return [[id, verdictOf(was, integration, same.get(id) ?? [])]];
  });
  const byId = new Map(reviewed.map((each) => [each.id, each]));
  const integrations = plan.integrations.map((each) => {
    const was = byId.get(each.id);
    return was !== undefined && isGone(was) ? withoutChanges(was) : relabelled(each, was);
  });
  const gone = reviewed.filter(({ id }) => !now.has(id)).map(withoutChanges);
  const all = [...integrations, ...gone];
  return {
    plan: { ...plan, integrations: all.sort((a, b) => compareText(a.name, b.name)) },
    verdicts: new Map(verdicts),
  };
}

/** An integration with the labels that were reviewed. */
function relabelled(
  integration: IntegrationPlan,
  reviewed: IntegrationDocument | undefined,
): IntegrationPlan {
  const byAddress = new Map(reviewed?.changes.map((change) => [change.address, change]));
  const changes = integration.changes.map((change) => {
    const was = byAddress.get(change.address);
    return was === undefined ? change : { ...change, label: was.label, ...present({ base: was.base }) };
  });
  return { ...integration, changes };
}

function verdictOf(
  reviewed: IntegrationDocument,
  { changes, cannotTell }: IntegrationPlan,
  same: readonly Change[],
): Verdict {
  const fields = new Map([...changes, ...same].map((each) => [each.address, each]));
  const done = new Set<Change>(same);
  const hidden = new Set(cannotTell.map(({ address }) => address));
  const moved = reviewed.changes.flatMap((was): Moved[] => {
    const { address } = was;
    const field = fields.get(address);
    if (field === undefined) return [{ address, by: hidden.has(address) ? 'server' : 'configuration' }];
    const by = movedBy(was, sidesOf(field), done.has(field));
    return by === undefined ? [] : [{ address, by }];
  });
  if (moved.length > 0) return { kind: 'stale', moved };
  return { kind: changes.length > 0 ? 'write' : 'done' };
}

/** Which side of a change moved, if any. What is as desired now need not be as it was; the live side of a secret is unknown. */
function movedBy(
  was: ChangeDocument,
  now: ReturnType<typeof sidesOf>,
  isDone: boolean,
): Moved['by'] | undefined {
  const isSecret = was.secret && (now.secret || isDone);
  if (isSecret)
    return was.reference === now.reference && was.rotated === now.rotated ? undefined : 'configuration';
  if (was.secret || now.secret || !sameContent(was.after, now.after)) return 'configuration';
  return isDone || sameContent(was.before, now.before) ? undefined : 'server';
}

function withoutChanges({ name, id }: IntegrationDocument): IntegrationPlan {
  return { name, id, status: null, blocked: false, changes: [], cannotTell: [], unmanagedOptions: 0 };
}
