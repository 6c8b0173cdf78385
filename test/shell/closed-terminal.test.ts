import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundled } from '../support/child-process.ts';
import { type PassingHooks, turnstile } from '../support/fault-proxy.ts';
import { fleet, fleetYaml, KEY_VARIABLE, readFleet, STATES } from '../support/fleet.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { type Outcomes, outcomeOf } from '../support/outcomes.ts';
import { ADMIN } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { terminal } from '../support/terminal.ts';

const made = { folder: '', bundle: '' };
beforeAll(async () => {
  made.folder = await mkdtemp(join(tmpdir(), 'setpoint-terminal-'));
  made.bundle = await bundled(resolve('src/cli.ts'), made.folder);
}, 30_000);
afterAll(() => rm(made.folder, { recursive: true }));

interface Report {
  readonly servers: readonly { integrations: readonly Outcomes[] }[];
  readonly diagnostics: readonly { code: string }[];
}

/** An apply to six integrations in a terminal, with a report in a file. */
async function apply(
  told: Parameters<typeof terminal>[1],
  flags: readonly string[],
  hooks: PassingHooks = {},
) {
  const { files, ids, names } = fleet(6);
  const sandbox = await liveSandbox({ catalog: await tempFolder(files), ids });
  const way = await turnstile(sandbox.url, hooks);
  const cwd = await tempFolder({ 'a.yaml': fleetYaml(names, STATES.a) });
  const args = ['apply', '-f', 'a.yaml', '--url', way.url, '--report', 'json=report.json', ...flags];
  const env = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };
  return {
    sandbox,
    shown: terminal([process.execPath, made.bundle, ...args], told, { cwd, env }),
    held: async () =>
      [...(await readFleet(sandbox.url)).values()].filter(({ url }) => url === STATES.a.url).length,
    report: async () => {
      const text = await readFile(join(cwd, 'report.json'), 'utf8');
      const { servers, diagnostics } = JSON.parse(text) as Report;
      return {
        outcomes: servers.flatMap(({ integrations }) => integrations.map(outcomeOf)),
        codes: diagnostics.map(({ code }) => code),
      };
    },
  };
}

describe.each(['by a signal', 'by nothing'] as const)('a terminal that is closed, told %s', (told) => {
  test('during the question: nothing is written, and it logs out', async () => {
    const { shown, report, held, sandbox } = await apply(told, []);
    await shown.shows('Type yes');
    shown.close();
    expect(await shown.ended).toBe(143);
    expect((await report()).codes).toContain('interrupted');
    expect((await report()).codes).not.toContain('unexpected');
    expect(await held()).toBe(0);
    expect(sandbox.seen()).toContain('POST /api/users/logout');
  });
  test('while changes are written: what is in flight ends, the rest is not begun, and both are listed', async () => {
    const gone = { close: () => {}, count: 0 };
    const { shown, report, held, sandbox } = await apply(told, ['--yes', '--verbose', '--concurrency', '2'], {
      before: ({ path }) => {
        if (path === '/api/integration-options') gone.count += 1;
        if (gone.count === 2) gone.close();
        return true;
      },
    });
    gone.close = shown.close;
    expect(await shown.ended).toBe(143);
    const { outcomes, codes } = await report();
    expect(new Set(outcomes)).toEqual(new Set(['verified', 'not-attempted']));
    expect(codes).toContain('interrupted');
    expect(codes).not.toContain('unexpected');
    expect(await held()).toBe(outcomes.filter((outcome) => outcome === 'verified').length);
    expect(sandbox.seen()).toContain('POST /api/users/logout');
  });
});

test('the end of input by hand is a no, not an interruption', async () => {
  const { shown, report, held } = await apply('by a signal', []);
  await shown.shows('Type yes');
  shown.type('\u0004');
  expect(await shown.ended).toBe(6);
  expect((await report()).codes).toEqual(['not-confirmed']);
  expect(await held()).toBe(0);
});
