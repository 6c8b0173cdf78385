import { isDeepStrictEqual } from 'node:util';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasWritten } from '../../core/plan/outcome.ts';
import type { Document } from '../../core/plan/plan-document.ts';
import { mergedDocument } from '../../core/report/merged.ts';
import { factsOf } from '../../core/report/model/facts.ts';
import { allOrFail, fail, failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';
import { readSaved } from '../sources/saved.ts';

/** A report, and the file that it came from. */
interface ShardReport {
  path: string;
  document: Document;
}

/**
 * Makes one report of those of all shards, and ends with the worst of their
 * exit codes.
 */
export const merge: CommandBody = async (run, paths) => {
  const { full } = run.options;
  const read = async (path: string): Promise<ShardReport> => {
    return { path, document: await readSaved(run, path, 'merge') };
  };
  const reports = await allOrFail(paths.map(read));
  const [first] = reports;
  if (first === undefined) return failUsage('Name the reports of all shards.');
  checkShards(reports);
  const documents = reports.map((report) => report.document);
  const document = mergedDocument(documents, first.document);
  const outcomes = factsOf(document).map(({ change }) => change.outcome);
  return {
    diagnostics: [],
    report: { kind: 'document', document, shown: { full } },
    exits: documents.flatMap(({ shard }) => shard?.exit ?? []),
    hasWritten: hasWritten(outcomes),
  };
};

/**
 * What all shards of a run have in common, as far as a shard knows it: one that
 * failed early does not.
 */
function commonOf({ command, tool, shard, servers, base }: Document) {
  return {
    run: [command, tool.version, shard?.count],
    configuration: shard?.revision && [shard.revision, shard.servers],
    base: servers[0] && [base?.commit],
  };
}

const COMMON = ['run', 'configuration', 'base'] as const;

/** Refuses reports that are not all the shards of one run, each once. */
function checkShards(reports: readonly ShardReport[]): void {
  const missing = new Set<number>();
  for (const { path, document } of reports) {
    const { shard, command } = document;
    if (shard === undefined || !/^(plan|apply)$/.test(command)) {
      refuse(path, 'it is no report of plan or apply with --shard');
    }
    for (let index = 1; index <= shard.count; index += 1) missing.add(index);
  }
  for (const part of COMMON) checkCommon(reports, part);
  for (const { path, document } of reports) {
    const { index = 0 } = document.shard ?? {};
    if (!missing.delete(index)) refuse(path, `shard ${index} comes twice`);
  }
  if (missing.size === 0) return;
  const paths = reports.map(({ path }) => path).join(', ');
  refuse(paths, `other shards are missing: ${[...missing].join(', ')}`);
}

/**
 * Refuses a report that has another one of these than the first that knows it.
 */
function checkCommon(
  reports: readonly ShardReport[],
  part: (typeof COMMON)[number],
): void {
  const known = reports.filter(({ document }) => commonOf(document)[part]);
  const [first, ...others] = known;
  if (first === undefined) return;
  const expected = commonOf(first.document)[part];
  for (const { path, document } of others) {
    if (isDeepStrictEqual(commonOf(document)[part], expected)) continue;
    refuse(path, `its ${part} is another one than that of ${first.path}`);
  }
}

function refuse(file: string, problem: string): never {
  const hint = 'Pass the report of each shard of one run, once.';
  return fail(diagnostic('file-unusable', { file, problem, hint }));
}
