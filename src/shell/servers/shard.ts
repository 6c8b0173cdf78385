import pMap from 'p-map';
import type { ProjectServer } from '../../core/config/project.ts';
import { compareText } from '../../core/findings/diagnostic.ts';
import { failUsage } from '../failure.ts';
import type { Shard } from '../flags.ts';
import type { Run } from '../run.ts';
import type { Environment } from '../runtime.ts';
import { layerReader, type NamedFile } from '../sources/config.ts';
import { type FoundProject, layersOf } from '../sources/project.ts';

/**
 * How engines number the parts of a job: the variables with the number of this
 * part and with their count, and the number of the first one.
 */
const ENGINES = [
  // GitLab
  { index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
  { index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  {
    index: 'BUILDKITE_PARALLEL_JOB',
    count: 'BUILDKITE_PARALLEL_JOB_COUNT',
    first: 0,
  },
  // Kubernetes
  { index: 'JOB_COMPLETION_INDEX', count: 'JOB_COMPLETIONS', first: 0 },
];

function shardOfJob(env: Environment): Shard {
  for (const engine of ENGINES) {
    // No number compares with what is not set.
    const index = Number(env[engine.index] || Number.NaN) - engine.first + 1;
    const count = Number(env[engine.count] || Number.NaN);
    if (index >= 1 && index <= count) return { index, count };
  }
  const pairs = ENGINES.map(({ index, count }) => `${index} with ${count}`);
  return failUsage(
    '--shard auto finds no part of a job in the environment.',
    `Set ${pairs.join(', or ')}.`,
  );
}

/**
 * Returns the servers of the part that a run takes, dealt out by name, in their
 * order. Notes the part with the names of all servers and a revision, by which
 * the parts of one run know each other: a digest of the project and of all
 * their files.
 */
export async function ownPart(
  run: Run,
  servers: readonly ProjectServer[],
  found: FoundProject,
): Promise<readonly ProjectServer[]> {
  const { shard: given, only, writeHidden = [] } = run.options;
  if (given === undefined) return servers;
  if (only !== undefined || writeHidden.some((word) => word !== 'all')) {
    failUsage(
      '--shard takes no --only and no addresses in --write-hidden: other servers may have what these name.',
    );
  }
  const shard = given === 'auto' ? shardOfJob(run.runtime.env) : given;
  const layers = new Map<string, NamedFile>();
  for (const layer of servers.flatMap((server) => layersOf(server, found))) {
    layers.set(layer.path, layer);
  }
  const readLayer = layerReader(run);
  const files = await pMap(layers.values(), readLayer, { concurrency: 8 });
  const content = JSON.stringify([found.project, files], withoutPath);
  const { createHash } = process.getBuiltinModule('node:crypto');
  const revision = createHash('sha256').update(content).digest('hex');
  const names = servers.map(({ name }) => name);
  // biome-ignore lint/style/noParameterAssign: a run learns its part once
  run.shard = { ...shard, revision, servers: names };
  const own = new Set<string>();
  for (const [position, name] of names.toSorted(compareText).entries()) {
    if (position % shard.count === shard.index - 1) own.add(name);
  }
  return servers.filter(({ name }) => own.has(name));
}

/** Leaves out paths, which are shown from the folder of the run. */
function withoutPath(key: string, value: unknown): unknown {
  return key === 'file' || key === 'path' ? undefined : value;
}
