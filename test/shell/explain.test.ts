import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FINDINGS } from '../../src/core/findings/diagnostic.ts';
import { RISK_NAMES } from '../../src/core/plan/risk.ts';
import { json, run } from '../support/run.ts';

const codes = Object.keys(FINDINGS);

describe('setpoint explain', () => {
  test('explains a code in 80 columns, and needs no login', async () => {
    const { stdout, stderr, ...result } = await run(
      ['explain', 'ambiguous-scalar'],
      { env: {} },
    );
    expect([result.code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ambiguous-scalar: /);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('explains each risk that a plan names', async () => {
    for (const risk of RISK_NAMES) {
      const { code, stdout } = await run(['explain', risk], { env: {} });
      expect([risk, code]).toEqual([risk, 0]);
      expect(stdout.replace(/\s+/g, ' ')).toContain(risk);
    }
    const { stdout } = await run(['explain', 'risk-refused'], { env: {} });
    for (const risk of RISK_NAMES) expect(stdout).toContain(`${risk}:`);
  });
  test.each([
    ['overrides-user', /Did you mean overrides-users/],
    ['unknown-optoin', /Did you mean unknown-option/],
    ['toString', /^Codes: /],
  ])('%s is an error of usage', async (word, hint) => {
    const { code, stdout } = await run(['explain', word, '--report', 'json']);
    expect([code, json<object>({ stdout })]).toMatchObject([
      3,
      { diagnostics: [{ code: 'usage', hint: expect.stringMatching(hint) }] },
    ]);
  });
});

test('each code has a page of whole sentences', async () => {
  for (const code of codes) {
    const { stdout } = await run(['explain', code]);
    expect(stdout).toMatch(new RegExp(`^${code}: `));
    expect(stdout).not.toMatch(/undefined|NaN|\[object/);
  }
});

test('docs/findings.md has each code, in at most 700 lines', async () => {
  const text = await readFile('docs/findings.md', 'utf8');
  expect([...text.matchAll(/^### (.*)$/gm)].map(([, code]) => code)).toEqual(
    codes,
  );
  expect(text.split('\n').length).toBeLessThanOrEqual(700);
});
