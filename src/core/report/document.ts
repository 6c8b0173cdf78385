import type { Diagnostic } from '../findings/diagnostic.ts';
import { diagnosticDocuments, explain } from '../findings/explain.ts';
import { present } from '../model/json.ts';
import { shownComment } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import { VERSION } from '../model/version.ts';
import type { Comparison } from '../plan/compare.ts';
import {
  type Change,
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  type IntegrationDocument,
  type IntegrationPlan,
  leftBecause,
  type Outcome,
  type RefusalDocument,
  type ServerDocument,
  type ServerPlan,
} from '../plan/plan.ts';
import { sidesOf } from '../plan/shown-sides.ts';

/** What a document is made from. */
interface DocumentParts {
  /** The command of the run; setpoint itself if the command line has none. */
  readonly command: Document['command'];
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  readonly servers?: readonly (ServerPlan | ServerDocument)[];
  /** Whether all servers could be planned; absent if none was to be. */
  readonly isComplete?: boolean | undefined;
  /** What setpoint.yaml loosens, in a diff. */
  readonly loosened?: readonly string[] | undefined;
  readonly findings?: readonly Diagnostic[];
  /** The findings of what an apply refuses. */
  readonly refusals?: readonly Diagnostic[] | undefined;
  /** The path of a file from the root of the repository. */
  readonly fromRoot?: (file: string) => string;
}

/** The document of servers and findings, with places from the root of the repository. */
export function documentOf(parts: DocumentParts): Document {
  const {
    command,
    now,
    isComplete: complete,
    loosened,
    findings = [],
    refusals = [],
    fromRoot = (file) => file,
  } = parts;
  const createdAt =
    now === undefined
      ? undefined
      : new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const place = <Placed extends { readonly file?: string }>(
    placed: Placed,
  ): Placed =>
    placed.file === undefined
      ? placed
      : { ...placed, file: fromRoot(placed.file) };
  const placed: Placing = (change) => ({
    ...change,
    source: place(change.source),
  });
  const servers = (parts.servers ?? []).map((server) =>
    'refusals' in server
      ? placedServer(server, placed)
      : serverDocument(server, refusals, placed),
  );
  return {
    formatVersion: FORMAT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    command,
    ...present({ createdAt, complete, loosened }),
    servers,
    diagnostics: diagnosticDocuments(findings).map((found) => ({
      ...place(found),
      ...present({ places: found.places?.map(place) }),
    })),
  };
}

/** Names the file of a change from the root of the repository. */
type Placing = (change: ChangeDocument) => ChangeDocument;

function placedServer(server: ServerDocument, placed: Placing): ServerDocument {
  const integrations = server.integrations.map((each) => ({
    ...each,
    changes: each.changes.map(placed),
  }));
  return { ...server, integrations };
}

/** The plan of one server, as a document has it. */
function serverDocument(
  plan: ServerPlan,
  refusals: readonly Diagnostic[],
  placed: Placing,
): ServerDocument {
  const { name, url, snapshot, only, base, policy, summary, integrations } =
    plan;
  return {
    ...{ name, url },
    ...present({ snapshot, only, base, policy: policy && present(policy) }),
    summary,
    refusals: refusalsOn(name, refusals),
    integrations: integrations.map((each) => integrationDocument(each, placed)),
  };
}

/** Words those refusals that are about a server, or about all servers together. */
export function refusalsOn(
  name: string,
  refusals: readonly Diagnostic[],
): ServerDocument['refusals'] {
  const documents: RefusalDocument[] = [];
  for (const refusal of refusals) {
    const { code, message, hint, server = name } = explain(refusal);
    if (server === name)
      documents.push({ code, message, ...present({ hint }) });
  }
  return documents;
}

function integrationDocument(
  integration: IntegrationPlan,
  placed: Placing,
): IntegrationDocument {
  const { name, id, status, unplanned, settled, released } = integration;
  return {
    name,
    id,
    status,
    ...present({ unplanned }),
    changes: changesOf(integration, placed),
    hidden: leftBecause(integration, 'hidden', 'unread').map(addressIn),
    waived: leftBecause(integration, 'waived').map(addressIn),
    settled: settled.map(addressOf),
    released: released.map(addressOf),
  };
}

function addressIn({ subject }: Comparison): string {
  return addressOf(subject);
}

/** The changes of an integration; after an apply also those that it has no more, at the places that their plan has. */
function changesOf(
  integration: IntegrationPlan,
  placed: Placing,
): ChangeDocument[] {
  const { changes, lost = [], outcome } = integration;
  const documents = changes.map((change) =>
    placed(changeDocument(change, outcome)),
  );
  if (outcome === undefined) return documents;
  for (const change of lost) documents.push({ ...change, outcome });
  return documents;
}

/** A change as it is saved, rendered and applied. It holds no secret; its address becomes text here. */
function changeDocument(
  change: Change,
  ofIntegration: Outcome | undefined,
): ChangeDocument {
  const { comparison, label, base, risks } = change;
  const { subject, setting } = comparison;
  const { file, line, column, endColumn } = setting.place;
  return {
    address: addressOf(subject),
    ...sidesOf(comparison),
    label,
    ...present({ base }),
    risks,
    ...present({ comment: shownComment(setting.comment) }),
    source: { file, line, column, ...present({ endColumn }) },
    ...present({ outcome: change.outcome ?? ofIntegration }),
  };
}
