import type { Diagnostic } from '../findings/diagnostic.ts';
import { diagnosticDocuments, explain } from '../findings/explain.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { shownComment } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import { VERSION } from '../model/version.ts';
import {
  type Change,
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  type IntegrationDocument,
  type IntegrationPlan,
  type LeftField,
  type LeftFieldDocument,
  type PlaceDocument,
  type RefusalDocument,
  type RevisionDocument,
  type ServerDocument,
  type ServerPlan,
  sourceOf,
} from '../plan/plan.ts';
import { type Policy, strictest } from '../plan/risk.ts';
import { sidesOf } from '../plan/shown-sides.ts';

/** Where the files of a run come from, as far as git knows. */
export interface Origin {
  /** The web address of the repository, without credentials. */
  readonly repository?: string | undefined;
  /** The id of the commit of the work tree. */
  readonly commit?: string | undefined;
}

/** What a document is made from. */
interface DocumentParts {
  /** The command of the run; setpoint itself if the command line has none. */
  readonly command: Document['command'];
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  readonly origin?: Origin | undefined;
  /** The revision that a diff begins with; plans have their own. */
  readonly base?: RevisionDocument | undefined;
  /** The revision that a diff shows, if it is not the work tree. */
  readonly head?: RevisionDocument | undefined;
  readonly servers?: readonly (ServerPlan | ServerDocument)[];
  /** Whether all servers could be planned; absent if none was to be. */
  readonly isComplete?: boolean | undefined;
  /** The report that was taken back, in an undo. */
  readonly undone?: Document['undone'];
  readonly findings?: readonly Diagnostic[];
  /** The findings of what an apply refuses. */
  readonly refusals?: readonly Diagnostic[] | undefined;
  /** The path of a file from the root of the repository. */
  readonly fromRoot?: (file: string) => string;
}

/** The document of servers and findings, with places from the root of the repository. */
export function documentOf(parts: DocumentParts): Document {
  const { command, isComplete: complete, undone } = parts;
  const { head, origin } = parts;
  const { findings = [], refusals = [], fromRoot = (file) => file } = parts;
  const placing: Placing = (place) => placeDocument(place, fromRoot);
  const servers: ServerDocument[] = [];
  const plans: ServerPlan[] = [];
  for (const server of parts.servers ?? []) {
    if ('refusals' in server) {
      servers.push(placedServer(server, placing));
      continue;
    }
    plans.push(server);
    servers.push(serverDocument(server, refusals, placing));
  }
  const base = parts.base ?? plans.find((plan) => plan.base)?.base;
  const others = findings.filter((finding) => !refusals.includes(finding));
  return {
    formatVersion: FORMAT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    command,
    ...present({
      createdAt: timeOf(parts.now),
      repository: origin?.repository,
      commit: head?.commit ?? origin?.commit,
      base,
      head,
      policy: policyOf(plans),
      complete,
      undone,
    }),
    servers,
    diagnostics: placedDiagnostics(diagnosticDocuments(others), fromRoot),
  };
}

function timeOf(now: number | undefined): string | undefined {
  if (now === undefined) return undefined;
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The policy that all plans hold; undefined if none says anything. */
function policyOf(plans: readonly ServerPlan[]): Document['policy'] {
  const policies: Policy[] = [];
  for (const { policy } of plans) {
    if (policy !== undefined) policies.push(policy);
  }
  const policy = present(strictest(policies));
  return Object.keys(policy).length === 0 ? undefined : policy;
}

/** Makes the place of a document, its file named from the root of the repository. */
type Placing = (place: Place) => PlaceDocument;

function placeDocument(
  place: Place,
  fromRoot: (file: string) => string,
): PlaceDocument {
  const { file, line, column, endColumn } = place;
  return { file: fromRoot(file), line, column, ...present({ endColumn }) };
}

function placedDiagnostics(
  diagnostics: Document['diagnostics'],
  fromRoot: (file: string) => string,
): Document['diagnostics'] {
  return diagnostics.map((finding) => {
    const places = finding.places?.map((place) =>
      placeDocument(place, fromRoot),
    );
    return { ...finding, ...present({ places }) };
  });
}

/** A server of a diff or a comparison, whose fields are only changes. */
function placedServer(
  server: ServerDocument,
  placing: Placing,
): ServerDocument {
  const integrations: IntegrationDocument[] = [];
  for (const integration of server.integrations) {
    const { source } = integration;
    const changes = integration.changes.map((change) => {
      const place = change.source && placing(change.source);
      return { ...change, ...present({ source: place }) };
    });
    const placed = present({ source: source && placing(source) });
    integrations.push({ ...integration, ...placed, changes });
  }
  return { ...server, integrations };
}

/** The plan of one server, as a document has it. */
function serverDocument(
  plan: ServerPlan,
  refusals: readonly Diagnostic[],
  placing: Placing,
): ServerDocument {
  const { name, url, snapshot, only, allowedChanges } = plan;
  const { summary, integrations } = plan;
  return {
    name,
    url,
    ...present({ snapshot, only, allowedChanges }),
    summary,
    refusals: refusalsOn(plan, refusals),
    integrations: integrations.map((integration) =>
      integrationDocument(integration, placing),
    ),
  };
}

/** The name and the counts of a server. */
type CountedServer = Pick<ServerDocument, 'name' | 'summary'>;

/** Words those refusals that are about a server. */
export function refusalsOn(
  server: CountedServer,
  refusals: readonly Diagnostic[],
): RefusalDocument[] {
  const documents: RefusalDocument[] = [];
  for (const refusal of refusals) {
    const facts = refusedOn(server, refusal);
    if (facts === undefined) continue;
    const { code, message, hint } = explain(refusal);
    documents.push({ code, message, ...present({ hint }), ...facts });
  }
  return documents;
}

/** The facts of a refusal for programs. */
type RefusalFacts = Partial<RefusalDocument>;

/** What is refused on a server; undefined if it is about others. */
function refusedOn(
  { name, summary }: CountedServer,
  refusal: Diagnostic,
): RefusalFacts | undefined {
  if (refusal.code === 'risk-refused') {
    const { server = name } = refusal;
    if (server !== name) return undefined;
    const { risk, addresses } = refusal.facts;
    return { risk, addresses };
  }
  if (refusal.code !== 'many-changes') return undefined;
  const { changed, allowed, large } = refusal.facts;
  if (allowed !== undefined) {
    return summary.changed > 0 ? { changed, allowed } : undefined;
  }
  const own = large.find(({ server }) => server === name);
  return own && { changed: own.changed, managed: own.managed };
}

function integrationDocument(
  integration: IntegrationPlan,
  placing: Placing,
): IntegrationDocument {
  const { name, id, status, place, unplanned } = integration;
  const source = place && placing(place);
  const left: LeftFieldDocument[] = [];
  for (const field of integration.left) {
    const { because } = field;
    if (because !== 'not-reviewed')
      left.push(leftDocument(field, because, placing));
  }
  return {
    name,
    id,
    status,
    ...present({ source, unplanned }),
    changes: changesOf(integration, placing),
    left,
  };
}

/** A field that is left; a waived one with both sides. */
function leftDocument(
  { subject, comparison, waiver }: LeftField,
  because: LeftFieldDocument['because'],
  placing: Placing,
): LeftFieldDocument {
  const address = addressOf(subject);
  if (comparison === undefined) return { address, because };
  const { reference, setting } = comparison;
  const source = placing(setting.place);
  if (waiver === undefined) {
    return { address, because, ...present({ reference }), source };
  }
  const { until, reason } = waiver;
  const sides = sidesOf(comparison);
  return { address, because, ...sides, until, ...present({ reason }), source };
}

/**
 * The changes of an integration; after an apply also those that it has no
 * more, at the places that their plan has, and those that an undo lets be.
 */
function changesOf(
  integration: IntegrationPlan,
  placing: Placing,
): ChangeDocument[] {
  const { changes, lost = [], kept = [], outcome } = integration;
  const documents = changes.map((change) =>
    changeDocument(change, integration, placing),
  );
  if (outcome === undefined) return documents;
  for (const change of lost) {
    const reason = change.reason ?? integration.reason;
    documents.push({ ...change, outcome, ...present({ reason }) });
  }
  for (const { change, because } of kept) {
    if (because !== 'moved' && because !== 'gone') continue;
    documents.push({ ...change, source: placing(sourceOf(change)) });
  }
  return documents;
}

/** A change as it is saved, rendered and applied. It holds no secret; its address becomes text here. */
function changeDocument(
  change: Change,
  integration: IntegrationPlan,
  placing: Placing,
): ChangeDocument {
  const { comparison, label, base, risks } = change;
  const { subject, setting, type } = comparison;
  const outcome = change.outcome ?? integration.outcome;
  const reason = change.reason ?? integration.reason;
  const comment = shownComment(setting.comment);
  const isOfSecret = subject.kind === 'permission' && comparison.isSecret;
  return {
    address: addressOf(subject),
    ...present({ type }),
    ...sidesOf(comparison),
    ...present({ ofSecret: isOfSecret || undefined }),
    label,
    ...present({ base }),
    risks,
    ...present({ comment }),
    source: placing(change.place ?? setting.place),
    ...present({ outcome, reason }),
    ...present({ maybeWritten: isMaybeWritten(outcome, integration) }),
  };
}

/** Whether a server may have taken a change after it was read back. */
function isMaybeWritten(
  outcome: ChangeDocument['outcome'],
  { end }: IntegrationPlan,
): true | undefined {
  return (outcome === 'failed' && end?.kind === 'unclear') || undefined;
}
