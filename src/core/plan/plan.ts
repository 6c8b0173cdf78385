import type { planSchema } from '../../generated/plan-schema.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { KINDS } from '../findings/entry.ts';
import { diagnosticDocuments, explain } from '../findings/explain.ts';
import type { Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { UnreadableReason } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { TypeOf } from '../model/schema-type.ts';
import { shownComment } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';
import { VERSION } from '../model/version.ts';
import type { Policy, Risk } from './risk.ts';

type Definitions = typeof planSchema.definitions;
type Defined<Name extends keyof Definitions> = TypeOf<Definitions[Name], Definitions>;

/** The version of the document. Fields are only ever added within a major version. */
export const FORMAT_VERSION = '2.0';

/** What plan, apply and diff report: it is saved, rendered and applied. `schemas/plan.schema.json` describes it. */
export interface Document extends TypeOf<typeof planSchema, Definitions> {}
export interface ServerDocument extends Defined<'server'> {}
export interface IntegrationDocument extends Defined<'integration'> {}
export interface ChangeDocument extends Defined<'change'> {}

/** A revision of the configuration: the ref as it was named, and the commit that it meant. */
export interface PlanBase extends Defined<'revision'> {}

interface OutcomeRule {
  /** The heading under which a run that ended early lists it. */
  readonly countsAs: 'applied' | 'notApplied' | 'unknown';
  /** How a report marks it. */
  readonly look: 'good' | 'doubtful' | 'bad';
}

/** What can become of an integration that an apply is to change. */
export const OUTCOMES = {
  /** The server shows what was planned. */
  verified: { countsAs: 'applied', look: 'good' },
  /** The server accepted it, but does not show all of it. */
  sent: { countsAs: 'applied', look: 'doubtful' },
  'not-converged': { countsAs: 'notApplied', look: 'bad' },
  failed: { countsAs: 'notApplied', look: 'bad' },
  stale: { countsAs: 'notApplied', look: 'bad' },
  blocked: { countsAs: 'notApplied', look: 'bad' },
  'not-attempted': { countsAs: 'notApplied', look: 'bad' },
  unknown: { countsAs: 'unknown', look: 'bad' },
} as const satisfies Record<NonNullable<ChangeDocument['outcome']>, OutcomeRule>;

export type Outcome = keyof typeof OUTCOMES;

/** One field that differs. */
export interface Change {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  readonly field: Setting['field'];
  /** What the configuration asks of the field, and where; a reference only as far as it may be shown. */
  readonly setting: Setting;
  /** Null if nothing is set, or if the server does not show it. */
  readonly before: OptionValue | Secret<OptionValue> | null;
  readonly after: OptionValue | Secret<OptionValue>;
  /** Whether it is a secret, and both sides are hidden. */
  readonly sensitive: boolean;
  /** True if the server does not show what it holds, and a flag or the branch has it written. */
  readonly unreadable?: true;
  /** Who moved the field: this branch, the server alone, or both; always `change` in a plan without a base. */
  readonly label: ChangeDocument['label'];
  /** What the base declares; only in a conflict. */
  readonly base?: OptionValue | null;
  readonly risks: readonly Risk[];
  /** What became of it; only after an apply that read its integration back. */
  readonly outcome?: Outcome;
}

/** A managed field that cannot be compared: what is live is not shown, or its reference has no value here. It is not written. */
export interface CannotTell {
  readonly address: string;
  readonly reason: UnreadableReason | 'unresolved';
  readonly source: Place;
}

/** All changes of one managed integration; none if it is as desired. */
export interface IntegrationPlan extends Omit<IntegrationDocument, 'changes' | 'hidden'> {
  /** True if the integration is not running, so it is likely to refuse. */
  readonly blocked: boolean;
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  /** The result of an apply; absent before it, and if nothing was to be done. */
  readonly outcome?: Outcome;
}

/** An integration in which nothing is to be done. */
export const NOTHING = {
  ...{ blocked: false, changes: [], cannotTell: [] },
  ...{ waived: [], settled: [], released: [] },
} as const satisfies Partial<IntegrationPlan>;

/** The plan of one server, ordered by name. */
export interface ServerPlan extends Omit<ServerDocument, 'policy' | 'refusals' | 'integrations' | 'head'> {
  /** How the configuration treats risks; absent if it says nothing. */
  readonly policy?: Policy | undefined;
  readonly integrations: readonly IntegrationPlan[];
}

/** Whether a plan holds a change. */
export function hasChanges({ integrations }: ServerPlan): boolean {
  return integrations.some(({ changes }) => changes.length > 0);
}

/** Whether errors keep all integrations of all servers from being planned: then there is nothing to show. */
export function isNothingPlanned(plans: readonly ServerPlan[]): boolean {
  const all = plans.flatMap(({ integrations }) => integrations);
  return all.length > 0 && all.every(({ unplanned }) => unplanned === true);
}

const COMMANDS: readonly Document['command'][] = [
  ...(['plan', 'apply', 'diff', 'validate', 'list', 'errors', 'show', 'pull', 'accept'] as const),
  ...(['snapshot', 'explain', 'schema', 'sandbox', 'completion'] as const),
];

/** What a document is made from. */
interface DocumentParts {
  /** The command of the run, if it has one. */
  readonly command: string | undefined;
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  readonly servers?: readonly (ServerPlan | ServerDocument)[];
  /** Whether all servers could be planned; absent if none was to be. */
  readonly isComplete?: boolean | undefined;
  /** What setpoint.yaml loosens, in a diff. */
  readonly loosened?: readonly string[] | undefined;
  readonly findings?: readonly Diagnostic[];
  /** The path of a file from the root of the repository. */
  readonly fromRoot?: (file: string) => string;
}

/** The document of servers and findings, with places from the root of the repository. */
export function documentOf(parts: DocumentParts): Document {
  const { command, now, isComplete: complete, loosened, findings = [], fromRoot = (file) => file } = parts;
  const createdAt = now === undefined ? undefined : new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const place = <Placed extends { readonly file?: string }>(placed: Placed): Placed =>
    placed.file === undefined ? placed : { ...placed, file: fromRoot(placed.file) };
  const placed = (change: ChangeDocument) => ({ ...change, source: place(change.source) });
  const servers = (parts.servers ?? []).map((server) =>
    'refusals' in server ? server : serverDocument(server, findings),
  );
  return {
    formatVersion: FORMAT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    command: COMMANDS.find((name) => name === command) ?? 'setpoint',
    ...present({ createdAt, complete, loosened }),
    servers: servers.map((server) => ({
      ...server,
      integrations: server.integrations.map((each) => ({ ...each, changes: each.changes.map(placed) })),
    })),
    diagnostics: diagnosticDocuments(findings).map(place),
  };
}

/** The plan of one server, as a document has it. */
function serverDocument(plan: ServerPlan, findings: readonly Diagnostic[]): ServerDocument {
  const { name, url, snapshot, only, base, policy, summary, integrations } = plan;
  return {
    ...{ name, url },
    ...present({ snapshot, only, base, policy: policy && present(policy) }),
    summary,
    refusals: refusalsOn(name, findings),
    integrations: integrations.map(integrationDocument),
  };
}

/** What an apply refuses on a server, or on all servers together. */
function refusalsOn(name: string, findings: readonly Diagnostic[]): ServerDocument['refusals'] {
  const refused = findings
    .map(explain)
    .filter(({ exit, server = name }) => exit === KINDS.refusal.exit && server === name);
  return refused.map(({ code, message, hint }) => ({ code, message, ...present({ hint }) }));
}

function integrationDocument(integration: IntegrationPlan): IntegrationDocument {
  const { name, id, status, unplanned, changes, cannotTell, waived, settled, released } = integration;
  return {
    ...{ name, id, status, ...present({ unplanned }) },
    changes: changes.map((change) => changeDocument(change, integration)),
    hidden: cannotTell.map(({ address }) => address),
    ...{ waived, settled, released },
  };
}

function changeDocument(change: Change, integration: IntegrationPlan): ChangeDocument {
  const { address, label, base, risks, setting } = change;
  const { file, line, column, endColumn } = setting.place;
  return {
    address,
    ...sidesOf(change),
    label,
    ...present({ base }),
    risks,
    ...present({ comment: shownComment(setting.comment) }),
    source: { file, line, column, ...present({ endColumn }) },
    ...present({ outcome: change.outcome ?? integration.outcome }),
  };
}

/** Both sides of a change, without a secret. */
export function sidesOf(change: Change): Partial<ChangeDocument> & Pick<ChangeDocument, 'before' | 'after'> {
  const { setting, sensitive, unreadable: hidden } = change;
  const { reference, rotated } = setting.field === 'value' ? setting : {};
  const isUnset = change.before === null && !hidden;
  const sides = sensitive
    ? { before: isUnset ? '' : null, after: null, secret: true as const, ...present({ hidden, rotated }) }
    : { before: shownSide(change.before), after: shownSide(change.after), ...present({ hidden }) };
  return { ...sides, ...present({ reference }) };
}

function shownSide(side: Change['before']) {
  return side === null || isHidden(side) ? null : side;
}
