import type { planSchema } from '../../generated/plan-schema.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { diagnosticDocuments, explain, isRefusal } from '../findings/explain.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import type { TypeOf } from '../model/schema-type.ts';
import { shownComment } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { VERSION } from '../model/version.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';

type Definitions = typeof planSchema.definitions;
type Defined<Name extends keyof Definitions> = TypeOf<Definitions[Name], Definitions>;

/** The version of the document. Fields are only ever added within a major version. */
export const FORMAT_VERSION = '2.0';

/** What plan, apply and diff report: it is saved, rendered and applied. `schemas/plan.schema.json` describes it. */
export interface Document extends TypeOf<typeof planSchema, Definitions> {}
export interface ServerDocument extends Defined<'server'> {}
export interface IntegrationDocument extends Defined<'integration'> {}
export interface ChangeDocument extends Defined<'change'> {}

const COMMANDS: readonly Document['command'][] = [
  ...(['plan', 'apply', 'diff', 'validate', 'list', 'errors', 'show', 'pull', 'accept'] as const),
  ...(['snapshot', 'explain', 'schema', 'sandbox', 'completion'] as const),
];

/** The command of this name, as documents have it. */
export function commandNamed(word: string | undefined): Document['command'] {
  return COMMANDS.find((name) => name === word) ?? 'setpoint';
}

/** What a document is made from. */
interface DocumentParts {
  readonly command: Document['command'];
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  readonly servers: readonly ServerDocument[];
  /** Whether all servers could be planned; absent if none was to be. */
  readonly isComplete?: boolean | undefined;
  /** What setpoint.yaml loosens, in a diff. */
  readonly loosened?: readonly string[] | undefined;
  readonly findings: readonly Diagnostic[];
  /** The path of a file from the root of the repository. */
  readonly fromRoot: (file: string) => string;
}

/** The document of servers and findings, with places from the root of the repository. */
export function documentOf({ command, now, fromRoot, findings, ...parts }: DocumentParts): Document {
  const { servers, isComplete, loosened } = parts;
  const place = <Placed extends { readonly file?: string }>(placed: Placed): Placed =>
    placed.file === undefined ? placed : { ...placed, file: fromRoot(placed.file) };
  const placed = (change: ChangeDocument) => ({ ...change, source: place(change.source) });
  return {
    ...headOf(command, now),
    ...present({ complete: isComplete, loosened }),
    servers: servers.map((server) => ({
      ...server,
      integrations: server.integrations.map((each) => ({ ...each, changes: each.changes.map(placed) })),
    })),
    diagnostics: diagnosticDocuments(findings).map(place),
  };
}

/** The first fields of every document. */
function headOf(command: Document['command'], now?: number) {
  const tool = { name: 'setpoint', version: VERSION } as const;
  const createdAt = now === undefined ? undefined : secondsOf(now);
  return { formatVersion: FORMAT_VERSION, tool, command, ...present({ createdAt }) };
}

function secondsOf(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The plan of one server, as a document has it. */
export function serverDocument(
  { name, url, snapshot, only, base, policy, summary, integrations }: ServerPlan,
  findings: readonly Diagnostic[],
): ServerDocument {
  const made = integrations.map(integrationDocument);
  const sum = (of: (each: IntegrationDocument) => readonly unknown[]) =>
    made.reduce((total, each) => total + of(each).length, 0);
  const { managed, changed, changes, unmanagedOptions, reads, writes } = summary;
  return {
    ...{ name, url },
    ...present({ snapshot: snapshot && { takenAt: snapshot.takenAt }, only, base, policy: definite(policy) }),
    summary: {
      ...{ managed, changed, changes },
      hidden: sum((each) => each.hidden),
      waived: sum((each) => each.waived),
      settled: sum((each) => each.settled),
      released: sum((each) => each.released),
      ...{ unmanagedOptions, reads, writes },
    },
    refusals: refusalsOn(name, findings),
    integrations: made,
  };
}

function definite(policy: ServerPlan['policy']): ServerDocument['policy'] {
  return policy && present({ ...policy });
}

/** What an apply refuses on a server, or on all servers together. */
function refusalsOn(name: string, findings: readonly Diagnostic[]): ServerDocument['refusals'] {
  return findings.flatMap((found) => {
    const { code, message, hint, server } = explain(found);
    const isHere = isRefusal(found) && (server === undefined || server === name);
    return isHere ? [{ code, message, ...present({ hint }) }] : [];
  });
}

function integrationDocument(integration: IntegrationPlan): IntegrationDocument {
  const { name, id, status, unplanned, changes, cannotTell } = integration;
  const { waived = [], settled = [], released = [] } = integration;
  return {
    ...{ name, id, status, ...present({ unplanned }) },
    changes: changes.map((change) => changeDocument(change, integration)),
    hidden: cannotTell.map(({ address }) => address),
    ...{ waived, settled, released },
  };
}

function changeDocument(change: Change, integration: IntegrationPlan): ChangeDocument {
  const { address, label, risks, setting } = change;
  const outcome = change.outcome ?? integration.outcome;
  return {
    address,
    ...sidesOf(change),
    label,
    ...present({ base: change.base }),
    risks,
    ...present({ comment: shownComment(setting.comment) }),
    source: placeOf(setting.place),
    ...present({ outcome }),
  };
}

/** Both sides of a change, without a secret. */
export function sidesOf(change: Change): Partial<ChangeDocument> & Pick<ChangeDocument, 'before' | 'after'> {
  const { setting, sensitive, unreadable: hidden } = change;
  const { reference, rotated } = setting.field === 'value' ? setting : {};
  const [before, after] = [change.before, change.after].map(shownSide);
  const isUnset = change.before === null && !hidden;
  const sides = sensitive
    ? { before: isUnset ? '' : null, after: null, secret: true as const, ...present({ hidden, rotated }) }
    : { before: before ?? null, after: after ?? null, ...present({ hidden }) };
  return { ...sides, ...present({ reference }) };
}

function shownSide(side: Change['before']) {
  return side === null || isHidden(side) ? null : side;
}

function placeOf({ file, line, column, endColumn }: Place) {
  return { file, line, column, ...present({ endColumn }) };
}
