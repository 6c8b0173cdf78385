import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PassingHooks, turnstile } from '../support/fault-proxy.ts';
import { readFleet, STATES, startFleets } from '../support/fleet.ts';
import { PROGRAM } from '../support/program.ts';
import { codesOf, outcomesOf } from '../support/report.ts';
import { terminal } from '../support/terminal.ts';

/** An apply to six integrations in a terminal, with a report in a file. */
async function apply(
  told: Parameters<typeof terminal>[1],
  flags: readonly string[],
  hooks: PassingHooks = {},
) {
  const { sandbox, cwd, env } = await startFleets(6, { way: ({ url }) => turnstile(url, hooks) });
  const args = ['apply', '--report', 'json=report.json', ...flags];
  return {
    sandbox,
    shown: terminal([process.execPath, PROGRAM, ...args], told, { cwd, env }),
    held: async () =>
      [...(await readFleet(sandbox.url)).values()].filter(({ url }) => url === STATES.a.url).length,
    report: async () => {
      const printed = { stdout: await readFile(join(cwd, 'report.json'), 'utf8') };
      return { outcomes: outcomesOf(printed), codes: codesOf(printed) };
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
