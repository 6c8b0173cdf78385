import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { firstOf, interleaved, timed } from './measured.mjs';
import { environment } from './world.mjs';

const SMALL =
  'version: 1\nintegrations:\n  a: { match: a_*, options: { limit: 7, url: "https://a.example.com" } }\n';

/**
 * How long the program takes until it answers, against `node -e 0`: rows of the table. Where the caller has more authorities
 * to trust, rows with them too: every Node reads them first, which makes ratios smaller.
 */
export async function startUp(cli, folder, { rounds }) {
  const file = join(folder, 'small.yaml');
  await writeFile(file, SMALL);
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const rows = [
    ...(await startUpIn({}, '', { cli, file, rounds })),
    await opened(cli, file),
  ];
  if (NODE_EXTRA_CA_CERTS === undefined) return rows;
  const trusting = await startUpIn(
    { NODE_EXTRA_CA_CERTS },
    ', with NODE_EXTRA_CA_CERTS',
    {
      cli,
      file,
      rounds,
    },
  );
  return [...rows, ...trusting];
}

/** How many files of its own `validate` opens, and how large they are. */
async function opened(cli, file) {
  const counter = new URL('./opened.mjs', import.meta.url).href;
  const args = ['--import', counter, cli, 'validate', file];
  const { used } = await timed(process.execPath, args, environment(''), [
    'pipe',
  ]);
  const { files, bytes } = JSON.parse(used);
  return {
    part: 'start-up',
    name: 'what `validate` opens of `dist/`',
    note: `${files} files, ${Math.round(bytes / 1000)} kB`,
  };
}

async function startUpIn(added, suffix, { cli, file, rounds }) {
  const run = (...args) =>
    timed(process.execPath, args, { ...environment(''), ...added });
  const medians = await interleaved(
    {
      node: () => run('-e', '0'),
      '`--help`': () => run(cli, '--help'),
      '`validate` of a small file': () => run(cli, 'validate', file),
      '`plan` up to its first request': () => firstRequest(cli, file, added),
    },
    rounds,
    2,
  );
  const { node, ...commands } = medians;
  const goals = [1.3, 1.6, 2.3];
  return Object.entries(commands).map(([name, own], index) => ({
    part: 'start-up',
    name: `${name}${suffix}`,
    against: '`node -e 0`',
    own,
    reference: node,
    goal: { wall: goals[index] },
  }));
}

/** The milliseconds until a plan sends its first request. */
async function firstRequest(cli, file, added) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    ...environment(`http://127.0.0.1:${server.address().port}`),
    ...added,
  };
  const started = performance.now();
  const args = [cli, 'plan', '-f', file, '--url', env.SETPOINT_URL];
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  try {
    await firstOf(child, server, 'request');
    return { wall: performance.now() - started };
  } finally {
    if (child.kill()) await once(child, 'exit');
    server.closeAllConnections();
    server.close();
  }
}
