import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { recordAt } from '../support/at.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { json, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';
import { THREAT } from '../support/sandbox-requests.ts';

const minimal: unknown = parse(
  readFileSync('test/fixtures/three/integrations.yaml', 'utf8'),
);

function compiled(schema: object) {
  return new Ajv({
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  }).compile(schema);
}

/** The keys of the options that a schema knows of an integration. */
function keysOf(schema: unknown, base: string): string[] {
  const keys = recordAt(schema, 'definitions', `options-${base}`, 'properties');
  return Object.keys(keys).sort();
}

const THREAT_LOOKUP = [
  'apiKey',
  'mode',
  'timeout',
  'types',
  'url',
  'verifyTls',
];

describe('setpoint schema', () => {
  test('--catalog makes one for its integrations, the same bytes each time', async () => {
    const one = await run(['schema', '--catalog', 'examples/catalog']);
    const other = await run(['schema', '--catalog', 'examples/catalog']);
    expect([one.code, one.stderr]).toEqual([0, '']);
    expect(one.stdout).toBe(other.stdout);
    expect(keysOf(json(one), 'threat_lookup')).toEqual(THREAT_LOOKUP);
    const valid = compiled(json(one));
    expect([valid(minimal), valid.errors]).toEqual([true, null]);
    const document = json(
      await run('schema --catalog examples/catalog --report json'),
    );
    expect(document).toMatchObject({
      schema: json(one),
      servers: [],
      diagnostics: [],
    });
  });
  test('--url reads the options of all integrations wherever the server has them, and nothing else', async () => {
    const { url, exchanges } = await liveSandbox({
      settings: { dialect: 'options' },
    });
    await setOption(url, `${THREAT}-url`, 'c4nary');
    const before = exchanges.length;
    const result = await run(['schema', '--url', url, '--quiet']);
    expect(result.code).toBe(0);
    expect(result.stderr).toBe('');
    expect(result.stdout.includes('c4nary')).toBe(false);
    const schema = json(result);
    const offline = json(
      await run(['schema', '--catalog', 'examples/catalog']),
    );
    const bases = Object.keys(
      recordAt(offline, 'properties', 'integrations', 'properties'),
    );
    expect(bases.length).toBe(8);
    expect(bases.map((base) => keysOf(schema, base))).toEqual(
      bases.map((base) => keysOf(offline, base)),
    );
    const sent = exchanges
      .slice(before)
      .filter(({ path }) => !path.startsWith('/api/users/'));
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});
