import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { program } from './bundled.mjs';
import { interleaved, ran, served } from './measured.mjs';

const LIBRARY = 'the yaml library alone';

/** Commands on the files of a server that is as they declare, each with its goal. */
const COMMANDS = [
  { command: 'validate', name: '`validate`', args: [], goal: { wall: 1.5 } },
  {
    command: 'plan',
    name: '`plan`, nothing to change',
    // Any difference ends it with another code than 0, which fails.
    args: ['--exit-code'],
    goal: { wall: 2.2 },
  },
  {
    command: 'plan',
    name: '`plan`, every field to change',
    args: ['--allow-changes', '2000', '--allow', 'exposes-secret'],
    isChanged: true,
    goal: { wall: 3 },
  },
];

/** The time for a file may grow by this much from the smallest number of files on. */
const GROWTH = { wall: 1.1 };

/** `validate` and `plan` of the files that `pull` writes, against parsing them, and how time grows: rows of the table. */
export async function files(cli, folder, { fileCounts, rounds }) {
  const bareParse = await program('bare-parse.mjs', folder);
  const rows = [];
  const sizes = [];
  for (const count of fileCounts) {
    const { pull, figures } = await served(count, (server) =>
      measured(server, {
        cli,
        bareParse,
        rounds,
        out: join(folder, `files-${count}`),
      }),
    );
    rows.push(...rowsOf(count, pull, figures));
    sizes.push({ count, figures });
  }
  return [...rows, ...growths(sizes)];
}

/** Pulls the integrations of a server, then measures the commands in turn. */
async function measured({ env }, { cli, bareParse, rounds, out }) {
  const { SETPOINT_URL: url, ...account } = env;
  const secrets = join(out, 'secrets.env');
  const pull = await ran(
    [cli, 'pull', '--url', url, '--out', out, '--secrets-file', secrets],
    account,
  );
  const variables = parseEnv(await readFile(secrets, 'utf8'));
  const changed = await changedCopy(out);
  const run = (args, cwd = out) =>
    ran(args, { ...account, ...variables }, { cwd });
  const tasks = { library: () => run([bareParse, join(out, 'integrations')]) };
  for (const { command, name, args, isChanged } of COMMANDS)
    tasks[name] = () => run([cli, command, ...args], isChanged ? changed : out);
  return { pull, figures: await interleaved(tasks, rounds, 1) };
}

/** A copy of the files in which every field has another value. */
async function changedCopy(out) {
  const copy = `${out}-changed`;
  await cp(out, copy, { recursive: true });
  const folder = join(copy, 'integrations');
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, lines.map(changedLine).join('\n'));
  }
  return copy;
}

function changedLine(line) {
  return line
    .replace('autosubscribe: false', 'autosubscribe: true')
    .replace('value: "${env:', 'value: "x${env:')
    .replace('value: https:', 'value: http:')
    .replace(/value: (\d+)/, (_, number) => `value: ${Number(number) + 1}`)
    .replace('lock-and-hide', 'lock-and-show');
}

function rowsOf(count, pull, figures) {
  const compared = COMMANDS.map(({ name, goal }) => ({
    ...{ part: 'files', name, count, against: LIBRARY, goal },
    own: figures[name],
    reference: figures.library,
  }));
  return [...compared, { part: 'files', name: '`pull`', count, own: pull }];
}

/** The time for a file among many against that among the fewest. */
function growths([fewest, ...others]) {
  const names = { library: LIBRARY };
  for (const { name } of COMMANDS) names[name] = name;
  return others.flatMap(({ count, figures }) =>
    Object.entries(names).map(([task, name]) => ({
      part: 'files',
      name: `a file in ${name}`,
      count,
      against: `one of ${fewest.count}`,
      unit: 'ms',
      own: { wall: figures[task].wall / count },
      reference: { wall: fewest.figures[task].wall / fewest.count },
      ...(task === 'library' ? {} : { goal: GROWTH }),
    })),
  );
}
