import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from './bundled.mjs';
import { firstOf, interleaved, peakOf, ran, served } from './measured.mjs';
import { environment, MANAGED, pageDocument } from './world.mjs';

/** What the sandbox costs beside the static server, in memory and with a data file: rows of the table. */
export async function sandbox(cli, folder, { sandboxSize: count, rounds }) {
  const loop = await program('bare-loop.mjs', folder);
  const catalog = await writeCatalog(join(folder, 'catalog'), count);
  const turns = Math.max(2, Math.round(rounds / 2));
  const rows = [];
  for (const [place, args] of [
    ['in memory', []],
    ['with a data file', ['--data', join(folder, 'state')]],
  ])
    rows.push(...(await measured([cli, 'sandbox', '--catalog', catalog, '--port', '0', ...args], place)));
  return rows;

  async function measured(args, place) {
    const row = (work, reference, own) => ({
      ...{ part: 'sandbox', name: `${work}, ${place}`, count, against: 'the static server', own, reference },
    });
    return served(count, ({ env, reset }) =>
      started(args, async (own) => {
        const turn = { isOther: false };
        const { pages, patches, bare, barePatches } = await interleaved(
          {
            pages: () => ran([loop, 'bytes'], own.env),
            bare: () => ran([loop, 'bytes'], env),
            patches: () => {
              turn.isOther = !turn.isOther;
              return ran([loop, 'apply', MANAGED[turn.isOther ? 'desired' : 'other']], own.env);
            },
            barePatches: async () => {
              await reset(1);
              return ran([loop, 'apply'], env);
            },
          },
          turns,
        );
        const peak = await peakOf(own.pid);
        return [
          row('reading pages', { wall: bare.wall }, { wall: pages.wall }),
          row('reading, a PATCH for each, reading', { wall: barePatches.wall }, { wall: patches.wall, peak }),
        ];
      }),
    );
  }
}

/** Runs a sandbox while `work` goes on with its address and a token of its administrator. */
async function started(args, work) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = await firstOf(child, child.stdout, 'data');
    const [url] = /http:\S+/.exec(String(line));
    const body = JSON.stringify({ identification: 'admin', password: 'admin' });
    const headers = { 'content-type': 'application/vnd.api+json' };
    const login = await fetch(`${url}/api/users/login`, { method: 'POST', headers, body });
    const { data } = await login.json();
    return await work({ env: { ...environment(url), SETPOINT_TOKEN: data.token }, pid: child.pid });
  } finally {
    if (child.kill()) await once(child, 'exit');
  }
}

/** The integrations of the static server as configuration files. */
async function writeCatalog(folder, count) {
  await mkdir(folder);
  const { included } = pageDocument(1, 1);
  const options = included.map(({ attributes: { value, ...option } }) => ({
    ...option,
    default: option.key === MANAGED.key ? MANAGED.other : value,
    userCanEdit: false,
    adminOnly: true,
  }));
  for (let index = 0; index < count; index += 1) {
    const definition = { name: `Integration ${index}`, acronym: `I${index}`, entityTypes: ['IPv4'], options };
    await writeFile(join(folder, `integration-${index}.json`), JSON.stringify(definition));
  }
  return folder;
}
