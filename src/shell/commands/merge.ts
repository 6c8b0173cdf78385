import { compareText, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import {
  type Document,
  hasWritten,
  reviewedServers,
  type ServerDocument,
} from '../../core/plan/plan.ts';
import { isAbout, refusals } from '../../core/plan/refusals.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { factsOf } from '../../core/report/model/facts.ts';
import { allOrFail, fail, failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';
import { readSaved } from '../sources/saved.ts';

/** A report, and the file that it came from. */
interface ShardReport {
  readonly path: string;
  readonly document: Document;
}

type ShardReports = readonly [ShardReport, ...ShardReport[]];

/**
 * Makes one report of those of all shards, and ends with the worst of their
 * exit codes.
 */
export const merge: CommandBody = async (run, { full }, paths) => {
  const read = async (path: string): Promise<ShardReport> => {
    return { path, document: await readSaved(run, path, 'merge') };
  };
  const [first, ...others] = await allOrFail(paths.map(read));
  if (first === undefined) return failUsage('Name the reports of all shards.');
  const reports: ShardReports = [first, ...others];
  const mistake = mistakeIn(reports);
  if (mistake !== undefined) {
    const { path: file, problem } = mistake;
    const hint = 'Pass the report of each shard of one run, once.';
    return fail(diagnostic('file-unusable', { file, problem, hint }));
  }
  const document = mergedDocument(reports);
  const outcomes = factsOf(document).map(({ change }) => change.outcome);
  const exits: number[] = [];
  for (const { document: part } of reports) {
    if (part.shard !== undefined) exits.push(part.shard.exit);
  }
  return {
    diagnostics: [],
    report: { kind: 'document', document, shown: { full } },
    exits,
    hasWritten: hasWritten(outcomes),
  };
};

/**
 * Makes one document of those of all shards of a run: the same that the run
 * without shards makes.
 */
function mergedDocument(reports: ShardReports): Document {
  const [{ document: first }] = reports;
  const documents = reports.map(({ document }) => document);
  const { formatVersion, tool, command } = first;
  const complete = isComplete(documents);
  const createdAt = latest(documents);
  const common = { createdAt, ...commonParts(documents), complete };
  const head = { formatVersion, tool, command, ...present(common) };
  const order = serverOrder(documents);
  const diagnostics = findingsOf(documents, order);
  const servers = serversOf(documents, order);
  const merged = { ...head, servers, diagnostics };
  return command === 'plan' ? guarded(merged) : merged;
}

/** What a document says once for all servers. */
type CommonParts = Partial<
  Pick<Document, 'repository' | 'commit' | 'base' | 'policy'>
>;

/** Returns what all documents say once; a shard that failed early says little. */
function commonParts(documents: readonly Document[]): CommonParts {
  const policies: Policy[] = [];
  let common: CommonParts = {};
  for (const document of documents) {
    const { repository, commit, base, policy } = document;
    const parts = present({ repository, commit, base, policy });
    common = { ...parts, ...common };
    if (policy !== undefined) policies.push(policy);
  }
  if (policies.length === 0) return common;
  return { ...common, policy: present(strictest(policies)) };
}

/** Returns the names of all servers, in the order of their project. */
function serverOrder(documents: readonly Document[]): readonly string[] {
  const withOrder = documents.find(({ shard }) => shard?.servers !== undefined);
  return withOrder?.shard?.servers ?? [];
}

/** Returns the servers of all shards in an order. */
function serversOf(
  documents: readonly Document[],
  order: readonly string[],
): ServerDocument[] {
  const servers = documents.flatMap((document) => document.servers);
  return servers.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** Returns the time of the last document; undefined if none has one. */
function latest(documents: readonly Document[]): string | undefined {
  const times = documents.flatMap(({ createdAt }) => createdAt ?? []);
  return times.sort(compareText).at(-1);
}

/**
 * Returns whether all servers could be planned; undefined if none was to be.
 */
function isComplete(documents: readonly Document[]): boolean | undefined {
  const isPlanned = documents.some(({ complete }) => complete !== undefined);
  if (!isPlanned) return undefined;
  return documents.every(({ complete }) => complete === true);
}

type Findings = Document['diagnostics'];

/**
 * Returns all findings, those that several shards have once: first those of no
 * server, then those of each server in an order.
 */
function findingsOf(
  documents: readonly Document[],
  order: readonly string[],
): Findings {
  const unique = new Map<string, Findings[number]>();
  for (const finding of documents.flatMap(({ diagnostics }) => diagnostics)) {
    const key = JSON.stringify(finding);
    if (!unique.has(key)) unique.set(key, finding);
  }
  const rank = ({ server = '' }: Findings[number]): number =>
    order.indexOf(server);
  const findings = [...unique.values()].sort((a, b) => rank(a) - rank(b));
  return diagnosticDocuments([], findings);
}

/**
 * Replaces what an apply of each shard refuses by what an apply of all of them
 * does.
 */
function guarded(document: Document): Document {
  const reviewed = reviewedServers(document);
  const refused = refusals(reviewed, reviewed.length > 1);
  const servers = document.servers.map((server) => {
    const own = refused.filter((refusal) => isAbout(refusal, server));
    return { ...server, refusals: diagnosticDocuments(own) };
  });
  return { ...document, servers };
}

/** Why reports are not all the shards of one run, and which of them is not. */
interface Mistake {
  readonly path: string;
  readonly problem: string;
}

function mistakeIn(reports: ShardReports): Mistake | undefined {
  return (
    foreignReport(reports) ??
    otherRevision(reports) ??
    otherBase(reports) ??
    repeatedShard(reports) ??
    missingShard(reports)
  );
}

/** Finds a report that is not of a shard of the same run. */
function foreignReport(reports: ShardReports): Mistake | undefined {
  const [first] = reports;
  for (const { path, document } of reports) {
    const { shard, command } = document;
    const isShard = shard !== undefined && /^(plan|apply)$/.test(command);
    if (isShard) continue;
    const problem = 'it is no report of plan or apply with --shard';
    return { path, problem };
  }
  for (const { path, document } of reports) {
    if (runOf(document) === runOf(first.document)) continue;
    const problem = `it is a shard of another run than ${first.path}`;
    return { path, problem };
  }
  return undefined;
}

/**
 * Names what the shards of a run have in common, whether or not they could read
 * anything.
 */
function runOf({ command, tool, shard }: Document): string {
  return JSON.stringify([command, tool.version, shard?.count]);
}

/**
 * Finds a report of another configuration. A shard that failed early has read
 * none.
 */
function otherRevision(reports: ShardReports): Mistake | undefined {
  const read = reports.filter(
    ({ document }) => document.shard?.revision !== undefined,
  );
  const [first] = read;
  if (first === undefined) return undefined;
  for (const { path, document } of read) {
    if (revisionOf(document) === revisionOf(first.document)) continue;
    const problem = `it has another revision of the configuration, or other servers, than ${first.path}`;
    return { path, problem };
  }
  return undefined;
}

function revisionOf({ shard }: Document): string {
  return JSON.stringify([shard?.revision, shard?.servers]);
}

/**
 * Finds a report that is compared with another base. A shard that failed early
 * has no server.
 */
function otherBase(reports: ShardReports): Mistake | undefined {
  const first = reports.find(({ document }) => document.servers.length > 0);
  if (first === undefined) return undefined;
  const commit = first.document.base?.commit;
  for (const { path, document } of reports) {
    const { servers, base } = document;
    if (servers.length === 0 || base?.commit === commit) continue;
    const problem = `it is compared with another base than ${first.path}`;
    return { path, problem };
  }
  return undefined;
}

function repeatedShard(reports: ShardReports): Mistake | undefined {
  const indices = new Set<number | undefined>();
  for (const { path, document } of reports) {
    const index = document.shard?.index;
    if (indices.has(index))
      return { path, problem: `shard ${index} comes twice` };
    indices.add(index);
  }
  return undefined;
}

function missingShard(reports: ShardReports): Mistake | undefined {
  const [{ path, document }] = reports;
  const count = document.shard?.count ?? 0;
  const indices = new Set(
    reports.map((report) => report.document.shard?.index),
  );
  const missing: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    if (!indices.has(index)) missing.push(index);
  }
  if (missing.length === 0) return undefined;
  const subject = missing.length === 1 ? 'shard' : 'shards';
  const verb = missing.length === 1 ? 'is' : 'are';
  const problem = `${subject} ${missing.join(', ')} of ${count} ${verb} missing`;
  return { path, problem };
}
