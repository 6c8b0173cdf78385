import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

describe('a word that is not known is named, with the one that was meant', () => {
  test.each<[readonly string[], RegExp]>([
    [['paln'], /Unknown command paln\.\n {2}Did you mean plan\?/],
    [['plan', '--report', 'jsn'], /report format jsn\.\n {2}Did you mean json\?/],
    [
      ['apply', '--allow', 'exposes-secrets'],
      /--allow does not know exposes-secrets\.\n {2}Did you mean exposes-secret\?/,
    ],
  ])('%j', async (args, words) => {
    const result = await run(args);
    expect([result.code, result.stderr]).toEqual([3, expect.stringMatching(words)]);
  });
  test.each<[readonly string[]]>([
    [['aX9dK2mQ8zR4']],
    [['plan', '--report', 'aX9dK2mQ8zR4']],
    [['apply', '--allow', 'aX9dK2mQ8zR4']],
    [['sandbox', '--dialect', 'aX9dK2mQ8zR4']],
  ])('but not in %j, which may be a secret', async (args) => {
    const result = await run(args);
    expect([result.code, result.stderr]).toEqual([3, expect.not.stringContaining('aX9dK2mQ8zR4')]);
  });
});

test('a setpoint.yaml that is a link to itself is told as that', async () => {
  const cwd = await tempFolder({ '.git/HEAD': '' });
  await symlink('setpoint.yaml', join(cwd, 'setpoint.yaml'));
  const result = await run(['plan'], { cwd });
  expect([result.code, result.stderr]).toEqual([
    3,
    expect.stringMatching(/file-unreadable[\s\S]*links form a\s+loop/),
  ]);
  expect(result.stderr).not.toContain('Rename');
});
