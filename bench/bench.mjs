// What setpoint costs, each figure as a ratio in one run: `npm run bench [-- --quick] [-- --only PART]`. Prints a table, and
// writes bench/results.json and bench/README.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { byHand } from './by-hand.mjs';
import { core, hostile } from './core.mjs';
import { files } from './files.mjs';
import { fleet } from './fleet.mjs';
import { page } from './page.mjs';
import { isMissed, machine, table } from './report.mjs';
import { scale } from './scale.mjs';
import { startUp } from './start-up.mjs';

const numbers = (text) => text.split(',').map(Number);
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    'hand-sizes': { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', multiple: true },
    node: { type: 'string', multiple: true },
  },
});
const usual = flags.quick
  ? {
      sizes: '100,1000',
      hand: '10',
      rounds: '3',
      own: { coreSize: 200, coreRounds: 3, fileCounts: [10, 40] },
    }
  : {
      sizes: '1000,10000,100000',
      hand: '100,1000',
      rounds: '9',
      own: { coreSize: 1000, coreRounds: 9, fileCounts: [300, 1200] },
    };
const options = {
  sizes: numbers(flags.sizes ?? usual.sizes),
  handSizes: numbers(flags['hand-sizes'] ?? usual.hand),
  rounds: Number(flags.rounds ?? usual.rounds),
  ...usual.own,
};

const cli = resolve('dist/cli.cjs');
const PARTS = {
  'start-up': (folder) => {
    const { rounds } = options;
    return startUp(cli, folder, {
      rounds: rounds * 3,
      nodes: flags.node ?? [],
    });
  },
  files: (folder) => files(cli, folder, options),
  scale: (folder) => scale(cli, folder, options),
  'by-hand': (folder) => byHand(cli, folder, options),
  fleet: (folder) =>
    fleet(cli, folder, { ...options, servers: flags.quick ? 50 : 500 }),
  core: (folder) => core(folder, options),
  hostile: (folder) => hostile(folder, options),
  page: (folder) => page(folder, options),
};

const folder = await mkdtemp(join(tmpdir(), 'setpoint-bench-'));
try {
  const rows = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (flags.only !== undefined && !flags.only.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    const part = await measure(folder);
    process.stderr.write(`${table(part)}\n`);
    rows.push(...part);
  }
  await report(rows);
} finally {
  await rm(folder, { recursive: true });
}

async function report(rows) {
  const text = table(rows);
  const missed = rows.filter(isMissed).length;
  console.log(
    `${text}\n\n${missed} of ${rows.filter(({ goal }) => goal).length} goals missed.`,
  );
  // A part of the figures, or figures of small sizes, must not pass for all of them.
  if (flags.quick || flags.only !== undefined) return;
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const results = { version, machine: machine(), options, rows };
  await writeFile(
    'bench/results.json',
    `${JSON.stringify(results, null, 2)}\n`,
  );
  await writeFile('bench/README.md', await readme(text, version));
}

/** The words around the table are in bench/README.md itself: only what is below the line is written anew. */
async function readme(text, version) {
  const [words] = (await readFile('bench/README.md', 'utf8')).split(
    '\n## Results',
  );
  return `${words}\n## Results\n\nsetpoint ${version} on ${machine()}.\n\n${text}\n`;
}
