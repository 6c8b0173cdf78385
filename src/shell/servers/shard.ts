import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { compareText } from '../../core/findings/diagnostic.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type NamedFile, readFiles } from '../sources/config.ts';

type Shard = Exclude<NonNullable<Options['shard']>, 'auto'>;

/** The variables in which engines number the parts of a job, and the number of the first: GitLab, CircleCI, Buildkite, Kubernetes. */
const ENGINES = [
  ['CI_NODE_INDEX', 'CI_NODE_TOTAL', 1],
  ['CIRCLE_NODE_INDEX', 'CIRCLE_NODE_TOTAL', 0],
  ['BUILDKITE_PARALLEL_JOB', 'BUILDKITE_PARALLEL_JOB_COUNT', 0],
  ['JOB_COMPLETION_INDEX', 'JOB_COMPLETIONS', 0],
] as const;

/** Notes for the report of a run which part of its servers it takes. */
export function notePart(
  run: Run,
  { shard = 'auto', only, writeHidden = [] }: Options,
): void {
  if (only !== undefined || writeHidden.some((word) => word !== 'all'))
    failUsage(
      '--shard takes no --only and no addresses in --write-hidden: other servers may have what these name.',
    );
  run.part.shard = shard === 'auto' ? partOfJob(run) : shard;
}

/**
 * The servers of the part that a run takes, dealt out by name, in their order. Notes all servers, and the revision by which the
 * parts of one run know each other: the project and all files of `layers`.
 */
export async function ownPart<S extends { readonly name: string }>(
  run: Run,
  servers: readonly S[],
  project: object,
  layers: readonly NamedFile[],
): Promise<readonly S[]> {
  const { shard } = run.part;
  if (shard === undefined) return servers;
  const byPath = new Map(layers.map((layer) => [layer.path, layer]));
  const files = await pMap(byPath.values(), (layer) => readFiles(run, layer), {
    concurrency: 8,
  });
  // Paths are shown from the folder of the run.
  const withoutPaths = (key: string, value: unknown) =>
    key === 'file' || key === 'path' ? undefined : value;
  const digest = createHash('sha256').update(
    JSON.stringify([project, files], withoutPaths),
  );
  const names = servers.map(({ name }) => name);
  run.part.shard = { ...shard, revision: digest.digest('hex'), servers: names };
  const { index, count } = shard;
  const own = new Set(
    names.toSorted(compareText).filter((_, at) => at % count === index - 1),
  );
  return servers.filter(({ name }) => own.has(name));
}

/** The part that the job is in which a run runs. */
function partOfJob({ runtime: { env } }: Run): Shard {
  for (const [index, total, first] of ENGINES) {
    const numberOf = (name: string) =>
      /^\d{1,4}$/.test(env[name] ?? '') ? Number(env[name]) : -1;
    const found = {
      index: numberOf(index) - first + 1,
      count: numberOf(total),
    };
    if (found.index >= 1 && found.index <= found.count) return found;
  }
  const pairs = ENGINES.map(([index, total]) => `${index} with ${total}`);
  return failUsage(
    '--shard auto finds no part of a job in the environment.',
    `Set ${pairs.join(', or ')}.`,
  );
}
