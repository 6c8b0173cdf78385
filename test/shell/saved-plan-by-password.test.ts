import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { FORMATS } from '../../src/core/report/formats.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { logIn } from '../support/sandbox.ts';

const CATALOG = {
  alpha: configuration(option('apiKey', 'password', 'live-secret-of-alpha'), option('url', 'text')),
};
const YAML = 'alpha: { options: { apiKey: "${env:SETPOINT_A}", url: "https://a.example.com" } }';
const SECRET = { SETPOINT_A: 'secret-of-the-yaml' };
const KEY = { SETPOINT_FINGERPRINT_KEY: 'sixteen letters!' };

interface Document {
  readonly fingerprint: string;
  readonly servers: readonly ServerPlan<null>[];
  readonly diagnostics: readonly { readonly code: string; readonly hint?: string }[];
}
const found = (result: RunResult) => json<Document>(result).diagnostics;
const codes = (result: RunResult) => found(result).map(({ code }) => code);
const changeOf = (result: RunResult) => json<Document>(result).servers[0]?.integrations[0]?.changes[0];

/** A sandbox with one secret to replace; `plan` saves its plan, `apply` applies that. */
async function setUp(yaml = YAML) {
  const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, yaml);
  const plan = async (env: Record<string, string> = {}) => {
    const planned = await attempt(['plan'], { ...SECRET, ...env });
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    return planned;
  };
  const apply = (env: Record<string, string> = {}) =>
    attempt(['apply', 'plan.json', '--yes'], { ...SECRET, ...env });
  const written = () =>
    sandbox.exchanges.flatMap(({ method, body }) => (method === 'PATCH' ? [JSON.stringify(body)] : []));
  return { sandbox, cwd, plan, apply, written };
}

describe('a plan made with a password', () => {
  test('has no fingerprint in any format, and says so once', async () => {
    const { sandbox, cwd } = await setUp();
    const formats = FORMATS.split(', ');
    expect(formats).toContain('json');
    const reports = formats.flatMap((format) => ['--report', `${format}=${format}.out`]);
    const args = ['plan', '-v', '-f', 'a.yaml', '--url', sandbox.url, ...reports];
    const written = async (env: Readonly<Record<string, string>>) => {
      const result = await run(args, { cwd, env: { ...ADMIN, ...env } });
      const texts = formats.map(async (format) => [
        format,
        await readFile(join(cwd, `${format}.out`), 'utf8'),
      ]);
      return { ...result, texts: Object.fromEntries(await Promise.all(texts)) as Record<string, string> };
    };
    const another = await written(
      Object.fromEntries(Object.keys(SECRET).map((name) => [name, 'another-9f3a'])),
    );
    const { code, stdout, stderr, texts } = await written(SECRET);
    expect(code).toBe(0);
    expect(stderr.match(/secrets-by-reference/g)?.length).toBe(1);
    // By what these tell remarks apart: it holds nothing of a value.
    const { gitlab, sarif, ...rest } = texts;
    expect([gitlab, sarif]).toEqual([another.texts['gitlab'], another.texts['sarif']]);
    const files = Object.values(rest);
    const [document] = files
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Document);
    const all = [stdout, stderr, ...files].join('\n');
    // The identity of the plan is a digest of what is in it.
    expect(new Set(all.match(/[0-9a-f]{32}/g))).toEqual(new Set([document?.fingerprint]));
    expect(JSON.stringify(document?.servers)).not.toMatch(/fingerprint/i);
  });
  test('has the same bytes each time', async () => {
    const { plan } = await setUp();
    expect((await plan()).stdout).toBe((await plan()).stdout);
  });
  test('says so once for several servers, as its apply does', async () => {
    const { sandbox, cwd } = await setUp();
    const another = await setUp();
    const servers = [sandbox, another.sandbox].map(
      ({ url }, index) => `s${index}: { url: "${url}", config: [a.yaml] }`,
    );
    await writeFile(join(cwd, 'setpoint.yaml'), `version: 1\nservers: { ${servers.join(', ')} }\n`);
    const wish = { cwd, env: { ...ADMIN, ...SECRET } };
    const planned = await run(['plan', '--report', 'json'], wish);
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    const applied = await run(['apply', 'plan.json', '--yes', '--report', 'json'], wish);
    expect([codes(planned), codes(applied)]).toEqual([['secrets-by-reference'], ['secrets-by-reference']]);
  });
  test('says nothing where it is not saved, or changes no secret', async () => {
    const { sandbox, cwd } = await setUp();
    const text = await run(['plan', '-f', 'a.yaml', '--url', sandbox.url], {
      cwd,
      env: { ...ADMIN, ...SECRET },
    });
    expect(text.stderr).not.toContain('secrets-by-reference');
    const plain = await setUp('alpha: { options: { url: "https://a.example.com" } }');
    expect(codes(await plain.plan())).toEqual([]);
  });
});

describe('fingerprints need a key that cannot be guessed', () => {
  test('SETPOINT_FINGERPRINT_KEY, or a token', async () => {
    const { sandbox, plan } = await setUp();
    for (const env of [KEY, { SETPOINT_TOKEN: await logIn(sandbox.url, 'admin') }]) {
      const planned = await plan(env);
      expect([codes(planned), changeOf(planned)]).toEqual([
        [],
        expect.objectContaining({
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          beforeFingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        }),
      ]);
    }
  });
  test('of at least 16 characters', async () => {
    const { sandbox, plan } = await setUp();
    sandbox.seen();
    const refused = await plan({ SETPOINT_FINGERPRINT_KEY: 'fifteen letters' });
    expect([refused.code, codes(refused), sandbox.seen()]).toEqual([3, ['usage'], []]);
    expect(refused.stdout + refused.stderr).not.toContain('fifteen letters');
  });
});

describe('a saved plan without fingerprints', () => {
  test('is applied where references are equal, whatever they hold, and says so once', async () => {
    const { plan, apply, written } = await setUp();
    await plan();
    const applied = await apply({ SETPOINT_A: 'another-secret' });
    expect([applied.code, codes(applied)]).toEqual([0, ['secrets-by-reference']]);
    expect(found(applied)[0]?.hint).toContain('SETPOINT_FINGERPRINT_KEY');
    expect(written()).toEqual([expect.stringContaining('another-secret')]);
    // What it has written is done.
    const again = await apply({ SETPOINT_A: 'another-secret' });
    expect([again.code, written().length]).toEqual([0, 1]);
  });
  test('is applied where a scheme stands beside its reference', async () => {
    const { plan, apply } = await setUp(
      'alpha: { options: { apiKey: "Bearer ${env:SETPOINT_A}", url: "https://a.example.com" } }',
    );
    expect(changeOf(await plan())).toMatchObject({ reference: 'Bearer ${env:SETPOINT_A}' });
    expect((await apply()).code).toBe(0);
  });
  test('is stale where its reference is another', async () => {
    const { cwd, plan, apply, written } = await setUp();
    await plan();
    const yaml = await readFile(join(cwd, 'a.yaml'), 'utf8');
    await writeFile(join(cwd, 'a.yaml'), yaml.replace('SETPOINT_A', 'SETPOINT_B'));
    const applied = await apply({ SETPOINT_B: SECRET.SETPOINT_A });
    expect([applied.code, codes(applied), written()]).toEqual([5, ['stale'], []]);
  });
  test('is stale where a secret is in clear, with the remedy', async () => {
    const { plan, apply, written } = await setUp('alpha: { options: { apiKey: secret-in-clear } }');
    await plan();
    const applied = await apply();
    expect([applied.code, codes(applied), written()]).toEqual([5, ['likely-secret', 'stale'], []]);
    expect(found(applied)[1]?.hint).toContain('SETPOINT_FINGERPRINT_KEY');
    await plan(KEY);
    expect((await apply(KEY)).code).toBe(0);
  });
  test('an apply without one compares secrets by their values, and says nothing', async () => {
    const { sandbox, cwd, written } = await setUp();
    const args = ['apply', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'];
    const wish = { cwd, env: { ...ADMIN, ...SECRET }, answer: 'yes' };
    const applied = await run(args, wish);
    expect([applied.code, codes(applied), written().length]).toEqual([0, [], 1]);
    expect(applied.stdout).not.toMatch(/"(fingerprintKey|beforeFingerprint)"/);
  });
});
