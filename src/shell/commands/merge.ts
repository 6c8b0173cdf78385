import { compareText, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../core/findings/explain.ts';
import { grouped, present } from '../../core/model/json.ts';
import {
  type Document,
  hasWritten,
  type ServerDocument,
} from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { refusalsOn } from '../../core/report/document.ts';
import { changesOf } from '../../core/report/totals.ts';
import { allOrFail, fail, failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';
import { readSaved } from '../sources/saved.ts';

/** A report, and the file that it came from. */
interface Report {
  readonly path: string;
  readonly document: Document;
}

/** Makes one report of those of all shards, and ends with the worst of their exit codes. */
export const merge: CommandBody = async (run, { full = false }, paths) => {
  const read = async (path: string) => ({
    path,
    document: await readSaved(run, path, 'merge'),
  });
  const [first, ...others] = await allOrFail(paths.map(read));
  if (first === undefined) return failUsage('Name the reports of all shards.');
  const merged = mergeShards([first, ...others]);
  if ('problem' in merged) {
    const { path: plan, problem } = merged;
    const hint = 'Pass the report of each shard of one run, once.';
    return fail(diagnostic('plan-unusable', { plan, problem, hint }));
  }
  const { document, exits } = merged;
  const outcomes = changesOf(document.servers).map(({ outcome }) => outcome);
  return {
    diagnostics: [],
    report: { kind: 'document', document, shown: { full } },
    exits,
    hasWritten: hasWritten(outcomes),
  };
};

/**
 * Makes one document of those of all shards of a run, the same that the run without shards makes; or says what they lack, and
 * the report that lacks it. The exit codes are those of the shards.
 */
function mergeShards(reports: readonly [Report, ...Report[]]) {
  const problem = problemIn(reports);
  if (problem !== undefined) return problem;
  const documents = reports.map(({ document }) => document);
  const shards = documents.flatMap(({ shard }) => shard ?? []);
  const order = shards.find(({ servers }) => servers)?.servers ?? [];
  const servers = documents
    .flatMap((document) => document.servers)
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const [{ formatVersion, tool, command }] = documents as [Document];
  const createdAt = documents
    .flatMap((each) => each.createdAt ?? [])
    .sort(compareText)
    .at(-1);
  const isPlan = command === 'plan';
  const isPlanned = documents.some(
    (document) => document.complete !== undefined,
  );
  const complete = isPlanned
    ? documents.every((document) => document.complete)
    : undefined;
  const document: Document = {
    ...{ formatVersion, tool, command, ...present({ createdAt, complete }) },
    ...(isPlan
      ? guarded(servers, documents)
      : { servers, diagnostics: findingsOf(documents) }),
  };
  return { document, exits: shards.map(({ exit }) => exit) };
}

/** All findings, those that several shards have once. */
function findingsOf(
  documents: readonly Document[],
): Document['diagnostics'][number][] {
  const all = documents.flatMap(({ diagnostics }) => diagnostics);
  const once = [...grouped(all, (each) => JSON.stringify(each)).values()].map(
    ([each]) => each,
  );
  return diagnosticDocuments([], once);
}

/** Servers and findings of a plan, with what an apply of all of them refuses in place of what one of each shard does. */
function guarded(
  servers: readonly ServerDocument[],
  documents: readonly Document[],
) {
  const refused = refusals(servers, {}, 'plan');
  const others = findingsOf(documents).filter(
    ({ code }) => code !== 'risk-refused' && code !== 'many-changes',
  );
  return {
    servers: servers.map((server) => ({
      ...server,
      refusals: refusalsOn(server.name, refused),
    })),
    diagnostics: diagnosticDocuments(refused, others),
  };
}

/** Why reports are not all the shards of one run, and which of them is not. */
function problemIn(reports: readonly [Report, ...Report[]]) {
  const [first] = reports;
  const { count = 0 } = first.document.shard ?? {};
  // What failed early has neither a revision nor a base.
  const read =
    reports.find(({ document }) => document.shard?.revision) ?? first;
  const based =
    reports.find(({ document }) => document.servers.length > 0) ?? first;
  const checks: readonly [
    isWrong: (document: Document) => boolean,
    problem: string,
  ][] = [
    [
      ({ shard, command }) => !shard || !/^(plan|apply)$/.test(command),
      'it is no report of plan or apply with --shard',
    ],
    [
      (each) => runOf(each) !== runOf(first.document),
      `it is a shard of another run than ${first.path}`,
    ],
    [
      ({ shard }) =>
        shard?.revision !== undefined &&
        revisionOf(shard) !== revisionOf(read.document.shard),
      `it has another revision of the configuration, or other servers, than ${read.path}`,
    ],
    [
      ({ servers }) =>
        servers.some(
          ({ base }) =>
            base?.commit !== based.document.servers[0]?.base?.commit,
        ),
      `it is compared with another base than ${based.path}`,
    ],
  ];
  for (const [isWrong, problem] of checks) {
    const wrong = reports.find(({ document }) => isWrong(document));
    if (wrong !== undefined) return { path: wrong.path, problem };
  }
  const byIndex = grouped(reports, ({ document }) => document.shard?.index);
  const [, again] =
    [...byIndex.values()].find(({ length }) => length > 1) ?? [];
  if (again !== undefined)
    return {
      path: again.path,
      problem: `shard ${again.document.shard?.index} comes twice`,
    };
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !byIndex.has(index),
  );
  if (missing.length === 0) return undefined;
  const [noun, verb] =
    missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  return {
    path: first.path,
    problem: `${noun} ${missing.join(', ')} of ${count} ${verb} missing`,
  };
}

/** What the shards of a run have in common, whether or not they could read anything. */
function runOf({ command, tool, shard }: Document): string {
  return JSON.stringify([command, tool.version, shard?.count]);
}

function revisionOf(shard: Document['shard']): string {
  return JSON.stringify([shard?.revision, shard?.servers]);
}
