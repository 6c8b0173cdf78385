import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import {
  diagnosticDocuments,
  explain,
  type Placing,
  placeDocument,
} from '../findings/explain.ts';
import { present } from '../model/json.ts';
import { shownComment } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import { VERSION } from '../model/version.ts';
import {
  type Change,
  type ChangeDocument,
  type Document,
  endOf,
  FORMAT_VERSION,
  type IntegrationDocument,
  type IntegrationPlan,
  type KeptField,
  type LeftDocument,
  type RefusalDocument,
  type RevisionDocument,
  type ServerDocument,
  type ServerPlan,
  type ShownChange,
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
  /** The revision that a diff shows, if it is not the work tree. */
  readonly head?: RevisionDocument | undefined;
  readonly servers?: readonly ServerPlan[];
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
  const { command, isComplete: complete, undone, head, origin } = parts;
  const { findings = [], refusals = [], servers: plans = [] } = parts;
  const { fromRoot = (file) => file } = parts;
  const placing: Placing = (place) =>
    placeDocument(place, fromRoot(place.file));
  const base = plans.find((plan) => plan.base !== undefined)?.base;
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
    servers: plans.map((plan) => serverDocument(plan, refusals, placing)),
    diagnostics: diagnosticDocuments(others, [], placing),
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

/** The plan of one server, as a document has it. */
function serverDocument(
  plan: ServerPlan,
  refusals: readonly Diagnostic[],
  placing: Placing,
): ServerDocument {
  const { name, url, snapshot, comparedWith, only, allowedChanges } = plan;
  const { summary, integrations } = plan;
  return {
    name,
    url,
    ...present({ snapshot, comparedWith, only, allowedChanges }),
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
  const { name, id, counterpart, status, place, unplanned } = integration;
  const source = place && placing(place);
  const sameSecrets = integration.sameSecrets?.map(addressOf).sort(compareText);
  return {
    name,
    id,
    ...present({ counterpart }),
    status,
    ...present({ source, unplanned }),
    changes: changesOf(integration, placing),
    left: leftOf(integration, placing),
    ...present({ sameSecrets }),
  };
}

/** The fields that are left as they are; those that a saved plan lacks are only counted. */
function leftOf({ left }: IntegrationPlan, placing: Placing): LeftDocument[] {
  const documents: LeftDocument[] = [];
  for (const { subject, because, comparison, waiver } of left) {
    if (because === 'not-reviewed') continue;
    const place = comparison?.setting.place;
    documents.push({
      address: addressOf(subject),
      because,
      ...present({ source: place && placing(place) }),
      ...present({ reference: comparison?.reference }),
      ...present({ until: waiver?.until, reason: waiver?.reason }),
      ...(comparison && because === 'waived' ? sidesOf(comparison) : {}),
    });
  }
  return documents.sort(byAddress);
}

type Addressed = Pick<ChangeDocument, 'address'>;

function byAddress(one: Addressed, other: Addressed): number {
  return compareText(one.address, other.address);
}

/**
 * The changes of an integration; after an apply also those that it has no
 * more, at the places that their plan has, and those that an undo lets be.
 */
function changesOf(
  integration: IntegrationPlan,
  placing: Placing,
): ChangeDocument[] {
  const { changes, shown = [], lost = [], kept = [], outcome } = integration;
  const documents: ChangeDocument[] = [];
  for (const change of shown) documents.push(shownDocument(change, placing));
  documents.sort(byAddress);
  for (const change of changes) {
    documents.push(changeDocument(change, integration, placing));
  }
  if (outcome === undefined) return documents;
  for (const change of lost) {
    const reason = change.reason ?? integration.reason;
    documents.push({ ...change, outcome, ...present({ reason }) });
  }
  for (const field of kept) {
    if (field.because !== 'moved' && field.because !== 'gone') continue;
    documents.push(keptDocument(field, placing));
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
  const { subject, setting, type, isSecret } = comparison;
  const shown: ShownChange = {
    subject,
    type,
    sides: sidesOf(comparison),
    risks,
    comment: setting.comment,
    place: change.place ?? setting.place,
  };
  const isOfSecret = subject.kind === 'permission' && isSecret;
  return {
    ...shownDocument(shown, placing),
    label,
    ...present({ base, ofSecret: isOfSecret || undefined }),
    ...endOf(change, integration),
  };
}

function shownDocument(change: ShownChange, placing: Placing): ChangeDocument {
  const { subject, type, sides, declared, onlyOn, risks = [] } = change;
  const source = change.place && placing(change.place);
  const comment = shownComment(change.comment);
  return {
    address: addressOf(subject),
    ...present({ type }),
    ...sides,
    ...present({ declared, onlyOn }),
    label: 'change',
    risks,
    ...present({ comment, source }),
  };
}

/** A field that an undo leaves as it is: how it would be taken back, and why it is not. */
function keptDocument(
  { change, because, held, isSecret }: KeptField,
  placing: Placing,
): ChangeDocument {
  const { address, type, before, after, secret } = change;
  const sides = isSecret
    ? { before: null, after: null, secret: true as const }
    : { before: after, after: before, ...present({ secret }) };
  let reason = 'it is no longer as it was written';
  if (because === 'gone') reason = 'its integration is no longer installed';
  if (held !== undefined) reason = `the server holds ${held}`;
  return {
    address,
    ...present({ type }),
    ...sides,
    label: 'change',
    risks: [],
    source: placing(sourceOf(change)),
    outcome: 'stale',
    reason,
  };
}
