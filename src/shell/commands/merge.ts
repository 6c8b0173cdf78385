import { compareText, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import {
  type Document,
  hasWritten,
  reviewedServers,
} from '../../core/plan/plan.ts';
import { isAbout, refusals } from '../../core/plan/refusals.ts';
import { strictest } from '../../core/plan/risk.ts';
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
  const documents = reports.map(({ document }) => document);
  const { formatVersion, tool, command } = reports[0].document;
  // The names of all servers, in the order of their project.
  const order = documents.find(({ shard }) => shard?.servers)?.shard?.servers;
  const rank = (server = ''): number => order?.indexOf(server) ?? -1;
  const servers = documents.flatMap((document) => document.servers);
  servers.sort((a, b) => rank(a.name) - rank(b.name));
  const findings = new Map<string, Document['diagnostics'][number]>();
  for (const finding of documents.flatMap(({ diagnostics }) => diagnostics)) {
    findings.set(JSON.stringify(finding), finding);
  }
  const inOrder = [...findings.values()];
  inOrder.sort((a, b) => rank(a.server) - rank(b.server));
  const diagnostics = diagnosticDocuments([], inOrder);
  const head = { formatVersion, tool, command, ...commonParts(documents) };
  const merged = { ...head, servers, diagnostics };
  return command === 'plan' ? guarded(merged) : merged;
}

/**
 * Returns what a document says once for all servers. A shard that failed early
 * says little.
 */
function commonParts(documents: readonly Document[]) {
  const times = documents.flatMap(({ createdAt }) => createdAt ?? []);
  const policies = documents
    .map(({ policy }) => policy)
    .filter((policy) => policy !== undefined);
  const isPlanned = documents.some(({ complete }) => complete !== undefined);
  return present({
    createdAt: times.sort(compareText).at(-1),
    repository: documents.find((part) => part.repository)?.repository,
    commit: documents.find((part) => part.commit)?.commit,
    base: documents.find((part) => part.base)?.base,
    policy: policies.length > 0 ? present(strictest(policies)) : undefined,
    complete: isPlanned
      ? documents.every(({ complete }) => complete === true)
      : undefined,
  });
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

/** What is the same in the reports of all shards of a run. */
interface Common {
  /** Returns it as a text; undefined if a report does not have it. */
  readonly textOf: (document: Document) => string | undefined;
  /** What a report is that has it otherwise than another one. */
  readonly otherwise: string;
}

// A shard that failed early has read no configuration, and has no server.
const COMMON: readonly Common[] = [
  {
    textOf: ({ command, tool, shard }) =>
      JSON.stringify([command, tool.version, shard?.count]),
    otherwise: 'it is a shard of another run',
  },
  {
    textOf: ({ shard }) =>
      shard?.revision && JSON.stringify([shard.revision, shard.servers]),
    otherwise:
      'it has another revision of the configuration, or other servers,',
  },
  {
    textOf: ({ servers, base }) =>
      servers.length > 0 ? (base?.commit ?? '') : undefined,
    otherwise: 'it is compared with another base',
  },
];

function mistakeIn(reports: ShardReports): Mistake | undefined {
  for (const { path, document } of reports) {
    const { shard, command } = document;
    if (shard !== undefined && /^(plan|apply)$/.test(command)) continue;
    const problem = 'it is no report of plan or apply with --shard';
    return { path, problem };
  }
  for (const common of COMMON) {
    const mistake = unlikeReport(reports, common);
    if (mistake !== undefined) return mistake;
  }
  return missingShard(reports);
}

/** Finds a report that is not like the first one that can be. */
function unlikeReport(
  reports: ShardReports,
  { textOf, otherwise }: Common,
): Mistake | undefined {
  const told = reports.filter(({ document }) => textOf(document) !== undefined);
  const [first] = told;
  for (const { path, document } of told) {
    if (first === undefined || textOf(document) === textOf(first.document))
      continue;
    return { path, problem: `${otherwise} than ${first.path}` };
  }
  return undefined;
}

/** Finds a shard that comes twice, or those that are missing. */
function missingShard(reports: ShardReports): Mistake | undefined {
  const indices = new Set<number | undefined>();
  for (const { path, document } of reports) {
    const index = document.shard?.index;
    if (indices.has(index))
      return { path, problem: `shard ${index} comes twice` };
    indices.add(index);
  }
  const [{ path, document }] = reports;
  const count = document.shard?.count ?? 0;
  const missing: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    if (!indices.has(index)) missing.push(index);
  }
  if (missing.length === 0) return undefined;
  const words = missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  const [subject, verb] = words;
  const problem = `${subject} ${missing.join(', ')} of ${count} ${verb} missing`;
  return { path, problem };
}
