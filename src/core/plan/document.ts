import type { planSchema } from '../../generated/plan-schema.ts';
import { compareDiagnostics, type Diagnostic } from '../findings/diagnostic.ts';
import { type DiagnosticDocument, diagnosticDocument, explain } from '../findings/explain.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { TypeOf } from '../model/schema-type.ts';
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

/** What a document is made from. */
export interface DocumentParts {
  readonly command: Document['command'];
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  readonly servers: readonly ServerPlan[];
  /** Whether all servers could be planned. */
  readonly isComplete: boolean;
  readonly findings: readonly Diagnostic[];
  /** The path of a file from the root of the repository. */
  readonly fromRoot: (file: string) => string;
}

/** The document of plans and findings. */
export function documentOf({ servers, findings, fromRoot, ...parts }: DocumentParts): Document {
  const plans = servers.map((plan) => serverDocument(plan, findings, fromRoot));
  return {
    ...headOf(parts.command, parts.now),
    ...(plans.length === 0 ? {} : { complete: parts.isComplete }),
    servers: plans,
    diagnostics: diagnosticsOf(findings, fromRoot),
  };
}

/** The first fields of every document. */
export function headOf(command: Document['command'], now?: number) {
  const tool = { name: 'setpoint', version: VERSION } as const;
  const createdAt = now === undefined ? undefined : secondsOf(now);
  return { formatVersion: FORMAT_VERSION, tool, command, ...present({ createdAt }) };
}

/** Findings in words, in order. */
export function diagnosticsOf(
  findings: readonly Diagnostic[],
  fromRoot: DocumentParts['fromRoot'],
): DiagnosticDocument[] {
  const ordered = findings.toSorted(compareDiagnostics).map(diagnosticDocument);
  return ordered.map((found) =>
    found.file === undefined ? found : { ...found, file: fromRoot(found.file) },
  );
}

function secondsOf(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The plan of one server, as a document has it. */
export function serverDocument(
  { name, url, snapshot, only, base, policy, summary, integrations }: ServerPlan,
  findings: readonly Diagnostic[],
  fromRoot: DocumentParts['fromRoot'],
): ServerDocument {
  const made = integrations.map((each) => integrationDocument(each, fromRoot));
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
    const { code, message, hint, exit, server } = explain(found);
    const isHere = exit === 'guard' && (server === undefined || server === name);
    return isHere ? [{ code, message, ...present({ hint }) }] : [];
  });
}

function integrationDocument(
  integration: IntegrationPlan,
  fromRoot: DocumentParts['fromRoot'],
): IntegrationDocument {
  const { name, id, status, unplanned, changes, cannotTell, noted = [], waived = [] } = integration;
  const notedAs = (kind: string) => addresses(noted.filter(({ label }) => label === kind));
  return {
    ...{ name, id, status, ...present({ unplanned }) },
    changes: changes.map((change) => changeDocument(change, integration, fromRoot)),
    hidden: addresses(cannotTell),
    waived: addresses(waived),
    settled: notedAs('settled'),
    released: notedAs('released'),
  };
}

function addresses(fields: readonly { readonly address: string }[]): readonly string[] {
  return fields.map(({ address }) => address);
}

function changeDocument(
  change: Change,
  integration: IntegrationPlan,
  fromRoot: DocumentParts['fromRoot'],
): ChangeDocument {
  const { address, label, risks, comment, source } = change;
  const outcome = change.outcome ?? integration.outcome;
  return {
    address,
    ...sidesOf(change),
    label: label === 'unseen' ? 'change' : label,
    risks: risks.flatMap((risk) => (risk === 'plain-secret' ? [] : [risk])),
    ...present({ comment }),
    source: placeOf(source, fromRoot),
    ...present({ outcome }),
  };
}

/** Both sides of a change, without a secret. */
function sidesOf(change: Change): Pick<ChangeDocument, 'before' | 'after' | 'secret' | 'hidden'> {
  const reference = change.field === 'value' ? present({ reference: change.reference }) : {};
  if (change.sensitive) {
    const hidden = present({ hidden: change.unreadable });
    return { before: null, after: null, secret: true, ...hidden, ...reference };
  }
  const { before, after } = change;
  if (before === 'unknown' && change.field === 'permission') return { before: null, after, hidden: true };
  return { before, after, ...reference };
}

function placeOf({ file, line, column, endColumn }: Place, fromRoot: DocumentParts['fromRoot']) {
  return { file: fromRoot(file), line, column, ...present({ endColumn }) };
}
