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

/** The part that a run takes: the one that a flag names, or that of the job that it runs in. */
export function shardOf({ runtime: { env } }: Run, flag: NonNullable<Options['shard']>): Shard {
  if (flag !== 'auto') return flag;
  for (const [index, total, first] of ENGINES) {
    const [number, count] = [env[index], env[total]].map((text = '') =>
      /^\d{1,4}$/.test(text) ? +text : -1,
    );
    const found = { index: (number ?? 0) - first + 1, count: count ?? 0 };
    if (found.index >= 1 && found.index <= found.count) return found;
  }
  const pairs = ENGINES.map(([index, total]) => `${index} with ${total}`);
  return failUsage('--shard auto finds no part of a job in the environment.', `Set ${pairs.join(', or ')}.`);
}

/** The servers of a part: they are dealt out by name, and keep their order. */
export function dealt<S extends { readonly name: string }>(
  servers: readonly S[],
  { index, count }: Shard,
): S[] {
  const names = servers.map(({ name }) => name).sort(compareText);
  const own = new Set(names.filter((_, at) => at % count === index - 1));
  return servers.filter(({ name }) => own.has(name));
}

/** A digest of a project and of all files of some layers, by which parts of one run know each other. */
export async function revisionOf(run: Run, project: object, layers: readonly NamedFile[]): Promise<string> {
  const paths = new Map(layers.map((layer) => [layer.path, layer]));
  const files = await pMap(paths.values(), (layer) => readFiles(run, layer), { concurrency: 8 });
  return createHash('sha256')
    .update(JSON.stringify([project, files]))
    .digest('hex');
}
