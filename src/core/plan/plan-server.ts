import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { namesField, type Place } from '../model/place.ts';
import { isHidden } from '../model/secret.ts';
import { diffIntegration, mistypedDefaults } from './diff.ts';
import { withoutFlood } from './few-options.ts';
import { type BranchBase, sinceBase, sinceReview } from './history.ts';
import {
  type Change,
  type Field,
  type IntegrationPlan,
  NOTHING,
  type Planned,
  type ServerDocument,
  type ServerPlan,
  summaryOf,
} from './plan.ts';

type History = ReturnType<typeof sinceBase>;

/** What a plan is made from. */
export interface PlanInput {
  readonly server: Pick<
    ServerPlan,
    'name' | 'url' | 'snapshot' | 'policy' | 'only'
  >;
  readonly desired: readonly DesiredIntegration[];
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  /** What the base of the branch asks of the same live integrations. */
  readonly base?:
    | (BranchBase & { readonly base: ServerPlan['base'] })
    | undefined;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
  /** The waivers for the server that are not over. */
  readonly waivers?: readonly { readonly address: string }[] | undefined;
}

/**
 * Compares what is desired of one server with what is live. The same input in any order makes the same plan. An integration
 * with an error is left out of it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): Planned {
  const { server, base, reviewed, reads } = input;
  const live = new Map(
    input.live.map((integration) => [integration.id, integration]),
  );
  const history = base
    ? sinceBase(base, live, server.only)
    : reviewed && sinceReview(reviewed, live);
  const made = planEach(input, live, history);
  const planned = new Map(made.plans.map(({ id, name }) => [id, name]));
  const gone = history?.gone(planned) ?? [];
  const integrations = [...made.plans, ...gone].sort(
    (a, b) => compareText(a.name, b.name) || compareText(a.id, b.id),
  );
  const head = {
    ...server,
    ...present({ base: base?.base ?? reviewed?.base }),
  };
  const counts = {
    managed: made.plans.length,
    unmanagedOptions: made.unmanagedOptions,
    reads,
  };
  const found = withoutFlood([...new Set(made.diagnostics)], input.desired);
  const unreviewed = differencesIn(made.unreviewed, integrations);
  return {
    plan: { ...head, summary: summaryOf(integrations, counts), integrations },
    diagnostics: [
      ...found,
      ...notesOn({ ...made, unreviewed, only: server.only }),
    ],
  };
}

/** Plans each integration that is installed and has something to manage. */
function planEach(
  input: PlanInput,
  live: ReadonlyMap<string, LiveIntegration>,
  history: History | undefined,
) {
  const { server, desired, unread } = input;
  const plans: IntegrationPlan[] = [];
  const diagnostics: Diagnostic[] = [];
  const sums = { unmanagedOptions: 0, holdsSecret: false };
  const unreviewed = new Map<string, number>();
  // What defaults ask for, one that is not selected may have, and the server need not list it.
  const mistyped =
    server.only === undefined
      ? mistypedDefaults(desired, input.live)
      : undefined;
  for (const each of desired) {
    const installed = live.get(each.id);
    if (installed === undefined) continue;
    const past = history?.of(each);
    const rules = {
      fateOf: fatesOf(input, each, past),
      policy: server.policy,
      ...present({ mistyped }),
    };
    const diff = diffIntegration(past?.desired ?? each, installed, rules);
    const error = unread?.get(each.id);
    const found = error === undefined ? diff.diagnostics : [error];
    // Defaults ask for nothing that it has.
    if (diff.fields.length + found.length === 0) continue;
    const fields = hasErrors(found) ? undefined : diff.fields;
    plans.push(planOne(each, installed, fields, past));
    diagnostics.push(...found);
    sums.unmanagedOptions += unmanagedIn(each, installed);
    const others = diff.fields.filter(({ fate }) => fate === 'unreviewed');
    unreviewed.set(each.id, others.length);
    sums.holdsSecret ||=
      diff.fields.some(isHeldSecret) || isSomeMasked(each, installed);
  }
  return { plans, diagnostics, unreviewed, ...sums };
}

/** How many differences a reviewed plan lacks, but for those of an integration that it has by another id or name. */
function differencesIn(
  unreviewed: ReadonlyMap<string, number>,
  integrations: readonly IntegrationPlan[],
): number {
  const reviewed = new Set<string>();
  for (const { id, end } of integrations) {
    const became = end?.kind === 'stale' ? end.became : undefined;
    if (became?.kind === 'other-id') reviewed.add(became.now);
    if (became?.kind === 'other-name') reviewed.add(id);
  }
  let differences = 0;
  for (const [id, number] of unreviewed)
    if (!reviewed.has(id)) differences += number;
  return differences;
}

/**
 * Tells what becomes of fields. Hidden ones are written if a flag or the reviewed plan names them, or the branch changed their
 * declaration. What is waived is left alone, unless it was reviewed or the branch changed it, and so is what a reviewed plan lacks.
 */
function fatesOf(
  { waivers = [], reviewed, writeHidden = [] }: PlanInput,
  { name }: DesiredIntegration,
  past: ReturnType<History['of']> | undefined,
) {
  return (
    setting: Setting,
    address: string,
    isHidden: boolean,
  ): Field['fate'] => {
    if (past?.isMeant(setting, address, isHidden)) return 'changed';
    const isNamed = (word: string) =>
      word === 'all' || namesField(word, name, address);
    if (isHidden && !writeHidden.some(isNamed)) return 'hidden';
    if (waivers.some((waiver) => namesField(waiver.address, name, address)))
      return 'waived';
    return reviewed === undefined ? 'changed' : 'unreviewed';
  };
}

/** The plan of one integration; one with an error has no fields. */
function planOne(
  { name, id }: DesiredIntegration,
  live: LiveIntegration,
  fields: readonly Field[] | undefined,
  past: ReturnType<History['of']> | undefined,
): IntegrationPlan {
  const { status = null } = live;
  if (fields === undefined)
    return {
      ...NOTHING,
      ...{ name, id, status, unplanned: true, lost: past?.reviewed },
    };
  const having = (fate: Field['fate']) =>
    fields.filter((field) => field.fate === fate);
  const changes = having('changed');
  const plan = {
    ...{ name, id, status, changes },
    // A status that is not served says nothing; any other than `running` is likely to refuse.
    blocked: status !== null && status !== 'running' && changes.length > 0,
    hidden: having('hidden'),
    waived: having('waived').map(({ address }) => address),
    ...{ settled: [], released: [] },
  };
  return past === undefined ? plan : past.complete(plan, fields, live);
}

function unmanagedIn(
  { settings }: DesiredIntegration,
  { optionKeys }: LiveIntegration,
): number {
  const managed = new Set(settings.map(({ option }) => option));
  return [...optionKeys].filter((key) => !managed.has(key)).length;
}

/** Whether a server has a secret, shown or not. */
function isHeldSecret({ after, before, unreadable }: Change): boolean {
  return isHidden(after) && (before !== null || unreadable !== undefined);
}

/** Whether a server masks an option of which anything is managed: then it does not show secrets as empty. */
function isSomeMasked(
  { settings }: DesiredIntegration,
  { options }: LiveIntegration,
): boolean {
  return settings.some(({ option = '' }) => {
    const value = options.get(option)?.value;
    return value?.kind === 'unreadable' && value.reason === 'masked';
  });
}

/** What the notes of a plan are about. */
interface Noted {
  readonly plans: readonly IntegrationPlan[];
  readonly holdsSecret: boolean;
  /** How many differences the reviewed plan lacks. */
  readonly unreviewed: number;
  readonly only?: string | undefined;
}

/** One finding each for all that do not run, all secrets if they read as empty, permissions that are not shown, and the rest. */
function notesOn(noted: Noted): Diagnostic[] {
  const { plans, holdsSecret, unreviewed, only } = noted;
  const stopped = plans.flatMap(({ id, status, blocked }) =>
    blocked && status ? [{ id, status }] : [],
  );
  const secrets = plans.flatMap(({ changes }) =>
    changes.filter(({ after }) => isHidden(after)),
  );
  const flags = plans.flatMap(({ hidden }) =>
    hidden.filter(({ setting }) => setting.field === 'permission'),
  );
  const notes: Diagnostic[] = [];
  if (stopped.length > 0) {
    const blocked = plans.filter((plan) => plan.blocked);
    const places = placesOf(blocked.flatMap(({ changes }) => changes));
    notes.push(withPlaces(diagnostic('not-running', { stopped }), places));
  }
  // Of a part of the secrets, all may be new.
  if (only === undefined && secrets.length > 0 && !holdsSecret) {
    const facts = { addresses: addressesOf(secrets), isSent: false };
    notes.push(
      withPlaces(diagnostic('hides-secrets', facts), placesOf(secrets)),
    );
  }
  if (flags.length > 0) {
    const found = diagnostic('hidden-field', { addresses: addressesOf(flags) });
    notes.push(withPlaces(found, placesOf(flags)));
  }
  if (unreviewed > 0)
    notes.push(diagnostic('not-reviewed', { differences: unreviewed }));
  return notes;
}

function addressesOf(fields: readonly Change[]): string[] {
  return fields.map(({ address }) => address);
}

function placesOf(fields: readonly Change[]): Place[] {
  return fields.map(({ setting }) => setting.place);
}
