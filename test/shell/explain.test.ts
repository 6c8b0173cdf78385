import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FINDINGS } from '../../src/core/findings/diagnostic.ts';
import type { FindingHelp } from '../../src/core/findings/explained/help.ts';
import { LABELS } from '../../src/core/plan/label.ts';
import { json, type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const codes = Object.keys(FINDINGS);

/** The codes of findings and of kinds of differences. */
const explained = [
  ...codes,
  ...Object.keys(LABELS),
  ...['overrides-users', 'subscribes-everyone'],
  ...['declaration-added', 'declaration-changed', 'declaration-released'],
].sort();

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
  test.each(codes)('%s fits in 80 columns, and needs no login', async (code) => {
    const { stdout, stderr, ...result } = await run(['explain', code], { env: {} });
    expect([result.code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^${code}: [^]+\\nWrong\\n\\n[^]+\\nRight\\n\\n[^]+\\n$`));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    // Characters that nobody sees are shown.
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  });
  test('lists all codes with their titles where none is named', async () => {
    const { code, stdout } = await run(['explain'], { env: {} });
    expect(code).toBe(0);
    const told = [...stdout.matchAll(/^ {2}([a-z0-9-]+) {2,}\S/gm)].map(([, each]) => each);
    expect(told.sort()).toEqual(explained);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('does so in a narrow terminal', async () => {
    const { stdout } = await run(['explain', 'unknown-option'], {
      env: { NO_COLOR: '1' },
      columns: 40,
      isTTY: true,
    });
    const [prose = ''] = stdout.split('Wrong');
    expect(prose.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });
  test.each([
    ['unknown-optoin', 'Did you mean unknown-option?'],
    ['Unknown-Option', 'Did you mean unknown-option?'],
    ['toString', 'See setpoint explain for all codes.'],
  ])('%s is an error of usage', async (word, hint) => {
    const { code, stdout } = await run(['explain', word, '--report', 'json']);
    expect([code, json<object>({ stdout })]).toMatchObject([3, { diagnostics: [{ code: 'usage', hint }] }]);
  });
  test('repeats no word that could be a secret', async () => {
    const word = 'k-5f2A91cc-hunter2';
    const { code, stderr } = await run(['explain', word]);
    expect([code, stderr.includes(word)]).toEqual([3, false]);
  });
  test('gives data', async () => {
    const { findings } = json<{ findings: readonly FindingHelp[] }>(
      await run(['explain', 'risk-refused', '--report', 'json']),
    );
    expect(findings).toMatchObject([
      {
        code: 'risk-refused',
        title: FINDINGS['risk-refused'].title,
        severity: 'error',
        exit: 6,
        wrong: { commands: [expect.stringContaining('setpoint apply')] },
      },
    ]);
  });
  test('gives all data where no code is named', async () => {
    const { findings } = json<{ findings: readonly FindingHelp[] }>(
      await run(['explain', '--report', 'json']),
    );
    expect(findings.map(({ code }) => code).sort()).toEqual(explained);
  });
});

test.each(['drift', 'change', 'conflict', 'settled', 'released', 'overrides-users', 'declaration-released'])(
  '%s is explained, though it is no finding',
  async (code) => {
    const { code: exit, stdout } = await run(['explain', code]);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${code}: .+\\n\\n.+\\n`))]);
    expect(stdout.split('\n\n').length).toBeGreaterThan(2);
    expect(await readFile('docs/findings.md', 'utf8')).toContain(`\n### ${code}\n`);
  },
);
