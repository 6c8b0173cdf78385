import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { expect, test } from 'vitest';
import { DESIRED, yamlOf } from '../support/desired.ts';
import { type Seen, startFaultProxy } from '../support/fault-proxy.ts';
import { CANARY } from '../support/faulty-apply.ts';
import { hostileAnswer } from '../support/hostile-answer.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** Hostile answers in all runs together. */
const ANSWERS = seeds(40, 3_000);

const COMMANDS = [
  ['plan', '-f', 'a.yaml'],
  ['apply', '-f', 'a.yaml', '--yes'],
  ['list', '-f', 'a.yaml'],
  ['list'],
  ['errors'],
] as const;

const EXIT_CODES = [0, 1, 3, 4, 5, 6];

/** Runs a command whose every second answer is hostile; gives how many were. */
async function runHostile(seed: number, target: string, cwd: string): Promise<number> {
  const draw = seeded(seed);
  const hits = { count: 0 };
  const answer = ({ kind }: Seen) => {
    // A run that cannot log in sees no other answer.
    if (draw.random() < (kind === 'login' ? 0.95 : 0.5)) return undefined;
    hits.count += 1;
    return hostileAnswer(draw);
  };
  const proxy = await startFaultProxy(target, answer);
  try {
    const command = draw.pick(COMMANDS);
    const result = await run([...command, '--url', proxy.url, '--report', 'json', '--timeout', '8'], {
      cwd,
      env: { ...ADMIN, SETPOINT_CANARY: CANARY },
      random: draw.random,
    });
    const told = `seed ${seed}, ${command.join(' ')}: ${result.stderr.slice(0, 2_000)}`;
    expect(EXIT_CODES, told).toContain(result.code);
    const document = JSON.parse(result.stdout) as { diagnostics: { code: string; message: string }[] };
    expect(
      document.diagnostics.map(({ code }) => code),
      told,
    ).not.toContain('unexpected');
    expect(result.stdout + result.stderr, told).not.toMatch(/\n\s+at |node:internal/);
    return hits.count;
  } finally {
    await proxy.close();
  }
}

test(`${ANSWERS} hostile answers: each run ends with a report and an exit code, and without a defect`, async () => {
  const { url } = await liveSandbox({ settings: { maxPageSize: 3 } });
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'a.yaml'), yamlOf(DESIRED));
  const state = { hits: 0, seed: Number(process.env['SETPOINT_FUZZ_SEED'] ?? 0) };
  while (state.hits < ANSWERS) {
    const batch = Array.from({ length: 8 }, () => (state.seed += 1));
    const hits = await pMap(batch, (seed) => runHostile(seed, url, cwd), { concurrency: 2 });
    state.hits += hits.reduce((sum, count) => sum + count, 0);
  }
  expect(state.hits).toBeGreaterThanOrEqual(ANSWERS);
});
