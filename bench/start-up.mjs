import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { firstOf, interleaved, timed } from './measured.mjs';
import { environment } from './world.mjs';

const SMALL =
  'version: 1\nintegrations:\n  a: { match: a_*, options: { limit: 7, url: "https://a.example.com" } }\n';

/** How long the program takes until it answers, against `node -e 0`, on this Node and others: rows of the table. */
export async function startUp(cli, folder, { rounds, nodes }) {
  const file = join(folder, 'small.yaml');
  await writeFile(file, SMALL);
  // What Node 22 compiles is kept in the home of its user.
  const run = { cli, file, rounds, home: folder };
  const rows = await startUpOn(process.execPath, run);
  rows.push(await opened(cli, file));
  for (const node of nodes) rows.push(...(await startUpOn(node, run)));
  return rows;
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

async function startUpOn(node, { cli, file, rounds, home }) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
  const run = (...args) =>
    timed(node, args, { ...environment(''), HOME: home });
  const medians = await interleaved(
    {
      bare: () => run('-e', '0'),
      '`--help`': () => run(cli, '--help'),
      '`validate` of a small file': () => run(cli, 'validate', file),
      '`plan` up to its first request': () =>
        firstRequest(node, { cli, file, home }),
    },
    rounds,
    2,
  );
  const { bare, ...commands } = medians;
  const goals = [1.3, 2, 3];
  return Object.entries(commands).map(([name, own], index) => ({
    part: 'start-up',
    name: `${name}, Node ${version.trim().slice(1)}`,
    against: '`node -e 0`',
    own,
    reference: bare,
    goal: { wall: goals[index] },
  }));
}

/** The milliseconds until a plan sends its first request. */
async function firstRequest(node, { cli, file, home }) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    ...environment(`http://127.0.0.1:${server.address().port}`),
    HOME: home,
  };
  const started = performance.now();
  const args = [cli, 'plan', '-f', file, '--url', env.SETPOINT_URL];
  const child = spawn(node, args, { env, stdio: 'ignore' });
  try {
    await firstOf(child, server, 'request');
    return { wall: performance.now() - started };
  } finally {
    if (child.kill()) await once(child, 'exit');
    server.closeAllConnections();
    server.close();
  }
}
