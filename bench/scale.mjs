import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program as bundledProgram } from './bundled.mjs';
import { interleaved, ran, served } from './measured.mjs';
import { configFiles } from './world.mjs';

/** How many integrations differ: every n-th. */
const CHANGES = {
  'a change in each': 1,
  'one in a hundred': 100,
  'no change': 0,
};

/** Configurations with an entry for each integration are measured up to here. */
const MOST_ENTRIES = 10_000;

/** The goals by the number of integrations: of few, the start counts more than the work. */
const GOALS = {
  10000: { wall: 1.5, peak: 1.5 },
  100000: { peak: 2 },
};

/** Growth is measured from here on. */
const GROWS_FROM = 10_000;

/** `plan` and `apply` of many integrations against the bare loop, and how time grows with their number: rows of the table. */
export async function scale(cli, folder, { sizes, rounds }) {
  const loop = await bundledProgram('bare-loop.mjs', folder);
  const rows = [];
  for (const count of sizes) {
    const program = await programFor(cli, folder, count, false);
    const turns = Math.max(1, Math.round(rounds * Math.min(1, 10_000 / count)));
    await served(count, async (server) => {
      const { SETPOINT_URL: url } = server.env;
      const compare = (own, bare, name, every) =>
        compared({
          server,
          own,
          bare: [loop, bare],
          every,
          turns,
          name,
          count,
        });
      rows.push(
        await compare([loop, 'bytes'], 'plan', 'a loop that parses nothing', 0),
      );
      for (const [change, every] of Object.entries(CHANGES)) {
        rows.push(
          goal(
            await compare(
              program('plan', every, url),
              'plan',
              `\`plan\`, ${change}`,
              every,
            ),
          ),
        );
        rows.push(
          goal(
            await compare(
              program('apply', every, url),
              'apply',
              `\`apply\`, ${change}`,
              every,
            ),
          ),
        );
      }
      if (count > MOST_ENTRIES) return;
      const each = await programFor(cli, folder, count, true);
      const name = '`plan`, a change and an entry of its own in each';
      rows.push(await compare(each('plan', 1, url), 'plan', name, 1));
    });
  }
  return [...rows, ...growths(rows)];
}

/** The arguments of a command with the configuration for so many integrations. */
async function programFor(cli, folder, count, isEach) {
  const config = join(folder, `config-${count}-${isEach}`);
  await mkdir(config);
  for (const [name, text] of Object.entries(configFiles(count, isEach)))
    await writeFile(join(config, name), text);
  return (command, every, url) => {
    const changed = every === 0 ? 1 : Math.ceil(count / every);
    // A plan refuses, too, what nobody has agreed to.
    const consent = ['--allow-changes', String(changed)];
    if (command === 'apply') consent.push('--yes');
    return [cli, command, '-f', config, '--url', url, ...consent];
  };
}

async function compared({
  server: { env, reset },
  own,
  bare,
  every,
  turns,
  name,
  count,
}) {
  const measure = (args) => async () => {
    await reset(every);
    const figures = await ran(args, env);
    return { ...figures, ...(await reset(0)) };
  };
  const row = { part: 'scale', name, count, against: 'the bare loop' };
  try {
    const medians = await interleaved(
      { own: measure(own), reference: measure(bare) },
      turns,
    );
    return { ...row, ...medians };
  } catch (thrown) {
    // One that fails, for want of memory perhaps, must not take the figures of all others along.
    return { ...row, note: thrown.message.split('\n')[0].slice(0, 200) };
  }
}

function goal(row) {
  return { ...row, goal: GOALS[row.count] };
}

/** How often the time for one size goes into that for ten times as many. */
function growths(rows) {
  return rows.flatMap((row) => {
    const smaller = rows.find(
      ({ name, count }) => name === row.name && count * 10 === row.count,
    );
    if (
      smaller?.own === undefined ||
      row.own === undefined ||
      smaller.count < GROWS_FROM
    )
      return [];
    const against = `${smaller.count.toLocaleString('en')} integrations`;
    return [
      {
        ...row,
        part: 'growth',
        against,
        reference: smaller.own,
        goal: { wall: 11 },
      },
    ];
  });
}
