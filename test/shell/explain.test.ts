import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FINDINGS } from '../../src/core/findings/diagnostic.ts';

import { json, type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const codes = Object.keys(FINDINGS);

describe('below findings at a terminal', () => {
  const SAYS = /\n\nSee setpoint explain (\S+) for more\.\n$/;
  async function said(yaml: string, wish: RunWish, ...flags: readonly string[]) {
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const { code, stderr } = await run(['validate', 'a.yaml', ...flags], { cwd, ...wish });
    return [code, SAYS.exec(stderr)?.[1]];
  }
  const wrong = 'version: 1\nintegrations: { a: {} }\nvalues: { b: 0123 }\nother: 1\n';
  test('explain is named once, with the first error', async () => {
    expect(await said(wrong, { isTTY: true })).toEqual([3, 'ambiguous-scalar']);
  });
  test('it is not where nobody reads, under --quiet, for warnings alone, or for a wrong command line', async () => {
    expect(await said(wrong, { isTTY: false })).toEqual([3, undefined]);
    expect(await said(wrong, { isTTY: true }, '--quiet')).toEqual([3, undefined]);
    expect(await said('version: 1\nintegrations: { a: {} }\n', { isTTY: true })).toEqual([0, undefined]);
    expect(await said(wrong, { isTTY: true }, '--report', 'jsn')).toEqual([3, undefined]);
  });
});

describe('setpoint explain', () => {
  test('explains a code in 80 columns, and needs no login', async () => {
    const { stdout, stderr, ...result } = await run(['explain', 'ambiguous-scalar'], { env: {} });
    expect([result.code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ambiguous-scalar: /);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('lists all codes with their titles if none is named', async () => {
    const { code, stdout } = await run(['explain'], { env: {} });
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^([a-z0-9-]+) {2,}\S/gm)].map(([, each]) => each);
    expect(listed).toEqual(codes);
  });
  test.each([
    ['unknown-optoin', 'Did you mean unknown-option?'],
    ['Unknown-Option', 'Did you mean unknown-option?'],
    ['toString', 'Run setpoint explain to list all codes.'],
  ])('%s is an error of usage', async (word, hint) => {
    const { code, stdout } = await run(['explain', word, '--report', 'json']);
    expect([code, json<object>({ stdout })]).toMatchObject([3, { diagnostics: [{ code: 'usage', hint }] }]);
  });
});

test('docs/findings.md has each code, in at most 700 lines', async () => {
  const text = await readFile('docs/findings.md', 'utf8');
  expect([...text.matchAll(/^### (.*)$/gm)].map(([, code]) => code)).toEqual(codes);
  expect(text.split('\n').length).toBeLessThanOrEqual(700);
});
