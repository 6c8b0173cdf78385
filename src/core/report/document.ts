import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import {
  diagnosticDocuments,
  type Placing,
  placeDocument,
} from '../findings/explain.ts';
import { present } from '../model/json.ts';
import { SERVER } from '../model/per-server.ts';
import { shownComment } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import { VERSION } from '../model/version.ts';
import { sidesOf } from '../plan/compare.ts';
import type {
  Change,
  IntegrationPlan,
  ServerPlan,
  ShownChange,
} from '../plan/plan.ts';
import {
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  type IntegrationDocument,
  type LeftDocument,
  type RevisionDocument,
  type ServerDocument,
} from '../plan/plan-document.ts';
import { isAbout, isRefusal } from '../plan/refusals.ts';
import { strictest } from '../plan/risk.ts';

/** Where the files of a run come from, as far as git knows. */
export interface Origin {
  /** The web address of the repository, without credentials. */
  repository?: string | undefined;
  /** The id of the commit of the work tree. */
  commit?: string | undefined;
}

/** What a document is made from. */
interface DocumentParts {
  /** The command of the run; setpoint itself if the command line has none. */
  command: Document['command'];
  /** When it is made, in milliseconds. */
  now?: number | undefined;
  origin?: Origin | undefined;
  /** The revision that a diff shows, if it is not the work tree. */
  head?: RevisionDocument | undefined;
  servers?: readonly ServerPlan[];
  /** Whether all servers could be planned; absent if none was to be. */
  isComplete?: boolean | undefined;
  /** The report that was taken back, in an undo. */
  undone?: Document['undone'];
  findings?: readonly Diagnostic[];
  /** The path of a file from the root of the repository. */
  fromRoot?: (file: string) => string;
}

/**
 * The document of servers and findings, with places from the root of the
 * repository.
 */
export function documentOf(parts: DocumentParts): Document {
  const { command, isComplete, undone, head, origin, now } = parts;
  const { findings = [], servers: plans = [] } = parts;
  const { fromRoot = (file) => file } = parts;
  const placing: Placing = (place) =>
    placeDocument(place, fromRoot(place.file));
  const time = now === undefined ? undefined : new Date(now).toISOString();
  const policies = plans.flatMap(({ policy }) => policy ?? []);
  const policy = present(strictest(policies));
  const base = plans.find((plan) => plan.base !== undefined)?.base;
  const refusals = findings.filter(isRefusal);
  const others = findings.filter((finding) => !isRefusal(finding));
  return present({
    formatVersion: FORMAT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    command,
    createdAt: time?.replace(/\.\d+Z$/, 'Z'),
    repository: origin?.repository,
    commit: head?.commit ?? origin?.commit,
    base: base?.ref.includes(SERVER) ? { ref: base.ref } : base,
    head,
    policy: Object.keys(policy).length === 0 ? undefined : policy,
    complete: isComplete,
    undone,
    servers: plans.map((plan) => serverDocument(plan, refusals, placing)),
    diagnostics: diagnosticDocuments(others, [], placing),
  });
}

/** The plan of one server, as a document has it. */
function serverDocument(
  plan: ServerPlan,
  refusals: readonly Diagnostic[],
  placing: Placing,
): ServerDocument {
  const { name, url, base, snapshot, comparedWith, only } = plan;
  return present({
    name,
    url,
    base: base?.ref.includes(SERVER) ? base : undefined,
    snapshot,
    comparedWith,
    only,
    allowedChanges: plan.allowedChanges,
    allowedRisks: plan.allowedRisks,
    summary: plan.summary,
    refusals: diagnosticDocuments(
      refusals.filter((refusal) => isAbout(refusal, plan)),
      [],
      placing,
    ),
    integrations: plan.integrations.map((integration) =>
      integrationDocument(integration, placing),
    ),
  });
}

function integrationDocument(
  integration: IntegrationPlan,
  placing: Placing,
): IntegrationDocument {
  const { name, id, counterpart, status, place, unplanned } = integration;
  return present({
    name,
    id,
    counterpart,
    status,
    source: place && placing(place),
    unplanned,
    changes: changesOf(integration, placing),
    left: leftOf(integration, placing),
    sameSecrets: integration.sameSecrets?.map(addressOf).sort(compareText),
  });
}

/**
 * The fields that are left as they are; those that a saved plan lacks are only
 * counted.
 */
function leftOf({ left }: IntegrationPlan, placing: Placing): LeftDocument[] {
  const documents: LeftDocument[] = [];
  for (const { subject, because, comparison, waiver } of left) {
    if (because === 'not-reviewed') continue;
    const place = comparison?.setting.place;
    const isShown = comparison !== undefined && because === 'waived';
    const document = {
      address: addressOf(subject),
      because,
      source: place && placing(place),
      reference: comparison?.reference,
      until: waiver?.until,
      reason: waiver?.reason,
      ...(isShown ? sidesOf(comparison) : {}),
    };
    documents.push(present(document));
  }
  return documents.sort((one, other) =>
    compareText(one.address, other.address),
  );
}

/**
 * The changes of an integration; after an apply also those that it has no
 * more, at the places that their plan has.
 */
function changesOf(
  integration: IntegrationPlan,
  placing: Placing,
): ChangeDocument[] {
  const { changes, shown = [], lost = [], outcome } = integration;
  const documents = shown.map((change) => shownDocument(change, placing));
  documents.sort((one, other) => compareText(one.address, other.address));
  const all = documents.concat(
    changes.map((change) => changeDocument(change, placing)),
  );
  if (outcome === undefined) return all;
  return all.concat(lost.map((change) => ({ ...change, outcome })));
}

/**
 * A change as it is saved, rendered and applied. It holds no secret; its
 * address becomes text here.
 */
function changeDocument(change: Change, placing: Placing): ChangeDocument {
  const { comparison, risks } = change;
  const { subject, setting, type } = comparison;
  const { comment, place } = setting;
  const sides = sidesOf(comparison);
  const shown = { subject, type, sides, risks, comment, place };
  return shownDocument(shown, placing, change);
}

function shownDocument(
  shown: ShownChange,
  placing: Placing,
  change: Partial<Change> = {},
): ChangeDocument {
  const { subject, type, sides, declared, onlyOn, place, risks = [] } = shown;
  const { before, after, secret, hidden, rotated } = sides;
  const { comparison, label = 'change', base } = change;
  const { outcome, reason, maybeWritten } = change;
  return present({
    address: addressOf(subject),
    type,
    before,
    after,
    secret,
    hidden,
    rotated,
    reference: sides.reference,
    beforeReference: sides.beforeReference,
    declared,
    onlyOn,
    label,
    risks,
    comment: shownComment(shown.comment),
    source: place && placing(place),
    base,
    ofSecret:
      (subject.kind === 'permission' && comparison?.isSecret) || undefined,
    outcome,
    reason,
    maybeWritten,
  });
}
