import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, served, timed } from './measured.mjs';
import { configFiles } from './world.mjs';

const pathOf = (name) =>
  fileURLToPath(new URL(`by-hand/${name}`, import.meta.url));

/** The same work as a person would do it, and what has to be installed for it. */
const WAYS = [
  {
    name: 'curl and jq in a shell loop',
    needs: ['curl', 'jq'],
    command: ['bash', pathOf('set-limit.sh')],
  },
  {
    name: 'an Ansible playbook with `uri`',
    needs: ['ansible-playbook'],
    command: ['ansible-playbook', '-i', 'localhost,', pathOf('set-limit.yml')],
  },
];

/** A change in each integration, read, written and read back by hand, against `apply`: rows of the table. */
export async function byHand(cli, folder, { handSizes, rounds }) {
  const rows = [];
  for (const count of handSizes) {
    const config = join(folder, `by-hand-${count}`);
    await mkdir(config);
    await writeFile(
      join(config, 'all.yaml'),
      configFiles(count, false)['all.yaml'],
    );
    await served(count, async ({ env, reset }) => {
      const measure =
        ([program, ...args]) =>
        async () => {
          await reset(1);
          const { wall } = await timed(program, args, env);
          return { wall, ...(await reset(0)) };
        };
      const target = ['-f', config, '--url', env.SETPOINT_URL];
      const apply = [
        process.execPath,
        cli,
        'apply',
        ...target,
        '--yes',
        '--allow-changes',
        String(count),
      ];
      const { own: reference } = await interleaved(
        { own: measure(apply) },
        rounds,
      );
      for (const { name, needs, command } of WAYS)
        rows.push({
          ...{ part: 'by hand', name, count, against: '`apply`', reference },
          ...(needs.every(isInstalled)
            ? { own: await measure(command)() }
            : { note: 'not installed here' }),
        });
    });
  }
  return rows;
}

function isInstalled(program) {
  return (
    spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
  );
}
