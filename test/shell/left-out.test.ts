import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { refusal } from '../support/faults.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { codesOf, integrationsOf, outcomeOf } from '../support/report.ts';
import type { RunResult } from '../support/run.ts';

const one = configuration(option('url', 'text', 'https://a.example'));
const CATALOG = { alpha: one, beta: one, gamma: one };

const YAML = (key = 'url') =>
  ['alpha', 'beta', 'gamma']
    .map(
      (id) =>
        `${id}: { options: { ${id === 'beta' ? key : 'url'}: "https://b.example" } }`,
    )
    .join('\n');

const codes = (result: RunResult) => codesOf(result).sort();
const marks = (result: RunResult) =>
  integrationsOf(result).map(({ changes, unplanned }) =>
    [
      ...(unplanned ? ['unplanned'] : []),
      changes.length,
      outcomeOf({ changes }) ?? '',
    ]
      .join(' ')
      .trim(),
  );

describe('an option that was renamed', () => {
  test('is marked in the plan, and an apply leaves out its integration alone', async () => {
    const { patches, attempt } = await ownCatalog(CATALOG, YAML('urll'));
    const planned = await attempt(['plan']);
    expect(planned.code).toBe(3);
    expect(codes(planned)).toEqual(['unknown-option']);
    expect(marks(planned)).toEqual(['1', 'unplanned 0', '1']);
    const fast = await attempt(['apply', '--yes', '--fail-fast']);
    expect(fast.code).toBe(3);
    expect(codes(fast)).toEqual(['unknown-option']);
    expect(patches().length).toBe(0);
    const applied = await attempt(['apply', '--yes']);
    expect(applied.code).toBe(5);
    expect(codes(applied)).toEqual(['unknown-option']);
    expect(patches().length).toBe(2);
    expect(marks(applied)).toEqual(['1 verified', 'unplanned 0', '1 verified']);
    // With nothing else to do, nothing is sent, and the configuration is wrong.
    const again = await attempt(['apply', '--yes']);
    expect(again.code).toBe(3);
    expect(codes(again)).toEqual(['unknown-option']);
    expect(patches().length).toBe(2);
  });
  test('is left out of a plan, which can be saved and applied to the others', async () => {
    const { attempt, patches } = await ownCatalog(CATALOG, YAML('urll'));
    const planned = await attempt(['plan', '--report', 'json=plan.json']);
    expect(planned.code).toBe(3);
    const applied = await attempt(['apply', 'plan.json', '--yes']);
    expect(applied.code).toBe(5);
    expect(codes(applied)).toEqual(['unknown-option']);
    expect(patches().length).toBe(2);
    expect(marks(applied)).toEqual(['1 verified', 'unplanned 0', '1 verified']);
  });
  test('is left out of a saved plan, which is no promise about it', async () => {
    const { cwd, attempt, patches } = await ownCatalog(CATALOG, YAML());
    expect((await attempt(['plan', '--report', 'json=plan.json'])).code).toBe(
      0,
    );
    const yaml = join(cwd, 'a.yaml');
    await writeFile(
      yaml,
      (await readFile(yaml, 'utf8')).replace(/(?<=beta.*)url/, 'urll'),
    );
    const applied = await attempt(['apply', 'plan.json', '--yes']);
    expect([applied.code, codes(applied)]).toEqual([5, ['unknown-option']]);
    expect(patches().length).toBe(2);
  });
});

describe('an integration that cannot be read alone', () => {
  const unreadable = async (path: RegExp) => {
    const { sandbox, attempt } = await ownCatalog(CATALOG, YAML(), {
      settings: { dialect: 'detail' },
    });
    const proxy = await faultyProxy(sandbox.url, (seen) =>
      path.test(seen.path) ? refusal(500) : undefined,
    );
    return (...args: readonly string[]) => attempt(args, {}, proxy.url);
  };
  test('is told: the others are applied', async () => {
    const attempt = await unreadable(/beta$/);
    const planned = await attempt('plan');
    expect([planned.code, codes(planned)]).toEqual([1, ['bad-answer']]);
    expect(marks(planned).filter((each) => each === '1').length).toBe(2);
    const applied = await attempt('apply', '--yes');
    expect([applied.code, codes(applied)]).toEqual([5, ['bad-answer']]);
    expect(marks(applied).filter((each) => each === '1 verified').length).toBe(
      2,
    );
  });
  test('is told as what it is where all cannot', async () => {
    const applied = await (await unreadable(/integrations\/./))(
      'apply',
      '--yes',
    );
    expect(applied.code).toBe(1);
    expect(new Set(codes(applied))).toEqual(new Set(['bad-answer']));
    expect(marks(applied)).toEqual([]);
  });
});
