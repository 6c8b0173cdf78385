import { compareText, diagnostic } from '../../core/findings/diagnostic.ts';
import { compareFindings, diagnosticDocuments } from '../../core/findings/explain.ts';
import { grouped, present } from '../../core/model/json.ts';
import type { Document, ServerDocument } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { refusalsOn } from '../../core/report/document.ts';
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
  const read = async (path: string) => ({ path, document: await readSaved(run, path, 'merge') });
  const [first, ...others] = await allOrFail(paths.map(read));
  if (first === undefined) return failUsage('Name the reports of all shards.');
  const merged = mergeShards([first, ...others]);
  if ('problem' in merged) {
    const { path: plan, problem } = merged;
    const hint = 'Pass the reports of all shards of one run; repeat the shard that failed.';
    return fail(diagnostic('plan-unusable', { plan, problem, hint }));
  }
  const { document, exits } = merged;
  return { diagnostics: [], report: { kind: 'document', document, shown: { full } }, exits };
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
  const complete = documents.every((document) => document.complete);
  const document: Document = {
    ...{ formatVersion, tool, command, ...present({ createdAt }), complete },
    ...(isPlan ? guarded(servers, documents) : { servers, diagnostics: findingsOf(documents) }),
  };
  return { document, exits: shards.map(({ exit }) => exit) };
}

/** All findings, those that several shards have once. */
function findingsOf(documents: readonly Document[]): Document['diagnostics'][number][] {
  const all = documents.flatMap(({ diagnostics }) => diagnostics);
  const once = [...grouped(all, (each) => JSON.stringify(each)).values()].map(([each]) => each);
  return once.sort(compareFindings);
}

/** Servers and findings of a plan, with what an apply of all of them refuses in place of what one of each shard does. */
function guarded(servers: readonly ServerDocument[], documents: readonly Document[]) {
  const refused = refusals(servers, {}, 'plan');
  const others = findingsOf(documents).filter(
    ({ code }) => code !== 'risk-refused' && code !== 'many-changes',
  );
  return {
    servers: servers.map((server) => ({ ...server, refusals: refusalsOn(server.name, refused) })),
    diagnostics: [...others, ...diagnosticDocuments(refused)].sort(compareFindings),
  };
}

/** Why reports are not all the shards of one run. */
function problemIn(
  reports: readonly [Report, ...Report[]],
): { readonly path: string; readonly problem: string } | undefined {
  const [{ path: first, document: one }] = reports;
  const stray = reports.find(({ document: { shard, command } }) => !shard || !/^(plan|apply)$/.test(command));
  if (stray !== undefined)
    return { path: stray.path, problem: 'it is no report of plan or apply with --shard' };
  const count = one.shard?.count ?? 0;
  const isOther = ({ document: { command, tool, shard } }: Report) =>
    command !== one.command || tool.version !== one.tool.version || shard?.count !== count;
  const other = reports.find(isOther);
  if (other !== undefined) return { path: other.path, problem: `it is a shard of another run than ${first}` };
  const known = reports.filter(({ document: { shard } }) => shard?.revision !== undefined);
  const revisionOf = ({ document: { shard, servers } }: Report) =>
    JSON.stringify([shard?.revision, shard?.servers, servers[0]?.base]);
  const moved = known.find((each) => known[0] && revisionOf(each) !== revisionOf(known[0]));
  const problem = `it has another revision of the configuration, or other servers, than ${known[0]?.path}`;
  if (moved !== undefined) return { path: moved.path, problem };
  const byIndex = grouped(reports, ({ document }) => document.shard?.index);
  const [, again] = [...byIndex.values()].find(({ length }) => length > 1) ?? [];
  if (again !== undefined)
    return { path: again.path, problem: `shard ${again.document.shard?.index} comes twice` };
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !byIndex.has(index));
  if (missing.length === 0) return undefined;
  const [noun, verb] = missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  return { path: first, problem: `${noun} ${missing.join(', ')} of ${count} ${verb} missing` };
}
