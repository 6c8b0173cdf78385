import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interleaved, ran, served } from './measured.mjs';
import { configFiles } from './world.mjs';

/** Integrations of each server, jobs that share the servers, and how long the slow server holds back an answer. */
const EACH = 20;
const SHARDS = 8;
const DELAY = 3_000;

/** Many servers: in one run and in shards, with few and with many, and with a slow and a dead one among them: rows of the table. */
export function fleet(cli, folder, { servers: count, rounds }) {
  return served(
    EACH,
    (server) => measured(server, cli, folder, { count, rounds }),
    count,
  );
}

async function measured(
  { env: { SETPOINT_URL: _, ...env }, urls, reset },
  cli,
  folder,
  { count, rounds },
) {
  const all = await project(join(folder, 'all'), urls);
  const few = await project(join(folder, 'few'), urls.slice(0, count / 10));
  const dead = await project(join(folder, 'dead'), [
    urls[0],
    'http://127.0.0.1:1',
    ...urls.slice(2),
  ]);
  const run = (cwd, name, ...args) =>
    ran([cli, ...args, '--report', `json=${name}.json`], env, {
      cwd,
      codes: [0, 1],
    });
  /** Until the last of the servers that answer had its last answer. */
  const others = async (cwd, delay) => {
    await reset(EACH, delay);
    const started = Date.now();
    await run(cwd, 'others', 'plan');
    return { wall: (await reset(EACH)).last - started };
  };
  await reset(EACH);
  const { whole, small, shards, slow, quick } = await interleaved(
    {
      whole: () => run(all, 'whole', 'plan'),
      small: () => run(few, 'whole', 'plan'),
      shards: () => sharded((...args) => run(all, ...args)),
      quick: () => others(all, 0),
      slow: () => others(dead, DELAY),
    },
    rounds,
  );
  await compareReports(all);
  const row = (name, own, against, reference, goal) => ({
    ...{ part: 'fleet', name, count, own, against, reference, goal },
  });
  const parts = `\`plan\` in ${SHARDS} shards on this machine, and \`merge\``;
  return [
    row('`plan` of all servers', whole, 'a tenth of them', small, {
      peak: 1.5,
    }),
    row(parts, shards, 'one run', whole),
    row('the others beside a slow and a dead server', slow, 'all well', quick, {
      wall: 1.2,
    }),
  ];
}

/** All shards side by side, then the merge: the largest peak, and the sum of the CPU times. */
async function sharded(run) {
  const started = performance.now();
  const names = Array.from({ length: SHARDS }, (_, at) => `shard-${at + 1}`);
  const shards = names.map((name, at) =>
    run(name, 'plan', '--shard', `${at + 1}/${SHARDS}`),
  );
  const files = names.map((name) => `${name}.json`);
  const parts = [
    ...(await Promise.all(shards)),
    await run('merged', 'merge', ...files),
  ];
  const cpu = parts.reduce((sum, each) => sum + each.cpu, 0);
  return {
    wall: performance.now() - started,
    cpu,
    peak: Math.max(...parts.map(({ peak }) => peak)),
  };
}

/** Throws unless the shards merge to the report of one run, but for the time. */
async function compareReports(folder) {
  const read = async (name) =>
    JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  const [whole, merged] = await Promise.all(['whole', 'merged'].map(read));
  if (
    JSON.stringify({ ...whole, createdAt: '' }) !==
    JSON.stringify({ ...merged, createdAt: '' })
  )
    throw new Error('the merged report is another than that of one run');
}

/** A project with these servers and one configuration for all of them; returns its folder. */
async function project(folder, urls) {
  await mkdir(join(folder, 'base'), { recursive: true });
  const servers = urls.map(
    (url, at) => `  s${at}: { url: "${url}", config: [base/] }\n`,
  );
  await writeFile(
    join(folder, 'setpoint.yaml'),
    `version: 1\nservers:\n${servers.join('')}`,
  );
  for (const [name, text] of Object.entries(configFiles(EACH, true)))
    await writeFile(join(folder, 'base', name), text);
  return folder;
}
