import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import {
  type Document,
  decode,
  type Format,
  parse,
  plan,
  render,
  type TakenServer,
} from '../../src/index.ts';
import { entries } from '../support/config.ts';
import { sampleDocument } from '../support/documents.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { FORMATS, rendered } from '../support/rendered.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const minimal = readFileSync('test/fixtures/three/integrations.yaml', 'utf8');
const parsed = (text: string) => parse([[{ path: 'a.yaml', text }]]);

/** The text of a snapshot of one integration with one option. */
const SNAPSHOT = JSON.stringify({
  formatVersion: '2.0',
  tool: { name: 'setpoint', version: '0.1.0' },
  server: { name: 'staging', url: 'https://integrations.example.com' },
  takenAt: '2026-11-20T10:00:00Z',
  integrations: [
    {
      id: 'one',
      name: 'One',
      status: 'running',
      options: [
        { key: 'url', type: 'text', permission: 'lock-and-show', value: 'old' },
      ],
    },
  ],
});

function decoded(text: string): TakenServer {
  const server = decode(text);
  if ('problem' in server) throw new Error(server.problem);
  return server;
}

function codesOf({ diagnostics }: Document): string[] {
  return diagnostics.map(({ code }) => code);
}

describe('plan and render do what the program does', () => {
  test('with a snapshot', async () => {
    const sandbox = await liveSandbox();
    const cwd = await tempFolder({ 'a.yaml': minimal });
    const atServer = ['--url', sandbox.url, '--out', 'server.json'];
    await run(['snapshot', ...atServer], { cwd, env: ADMIN });
    const text = readFileSync(join(cwd, 'server.json'), 'utf8');
    const document = plan(parsed(minimal), decoded(text));
    const command = ['plan', 'a.yaml', '--live', 'server.json'];
    const json = await run([...command, '--report', 'json'], { cwd, env: {} });
    // A library has no clock.
    const own = json.stdout.replace(/ *"createdAt": .*\n/, '');
    expect(await render(document, 'json')).toBe(own);
    expect(own).toMatch(/"changes": [1-9]/);
    const { screen } = await run(command, { cwd, env: {} });
    // Nor does it know the files, or what was typed.
    const shown = screen
      .replace(/^setpoint plan, \S+ \S+ \S+, /, 'setpoint plan, ')
      .replace(/^ +\d* \|.*\n/gm, '')
      .replace(/ -f a\.yaml/, '');
    expect(await render(document, 'text')).toBe(shown);
  });
  test.each(FORMATS.filter((each) => each !== 'text'))(
    'in %s',
    async (format) => {
      expect(await render(sampleDocument(), format)).toBe(
        rendered(format, sampleDocument()),
      );
    },
  );
  test('a document is valid against its schema, with findings of a gate in it', async () => {
    const own = {
      code: 'no-friday',
      severity: 'error',
      message: 'Not today.',
    } as const;
    const made = plan(
      parsed(entries('one: { options: { url: new } }')),
      decoded(SNAPSHOT),
      { 'overrides-users': 'error' },
    );
    const document = { ...made, diagnostics: [...made.diagnostics, own] };
    const schema = JSON.parse(
      readFileSync('schemas/plan.schema.json', 'utf8'),
    ) as object;
    const isValid = new Ajv({ strict: false }).compile(schema);
    expect(isValid(JSON.parse(await render(document, 'json')))).toBe(true);
    expect(isValid.errors).toBe(null);
    expect(document).toMatchObject({
      servers: [{ name: 'staging' }],
      policy: { 'overrides-users': 'error' },
    });
    expect(await render(document, 'text')).toMatch(
      /\n\nerror\[no-friday\]: Not today\.\n\nPlan .*\nNext .*\n$/,
    );
  });
});

test('plan makes no plan of a configuration with errors', () => {
  const wrong = parsed(entries('one: { options: { a: 0123 } }'));
  const document = plan(wrong, decoded(SNAPSHOT));
  expect(document.servers).toEqual([]);
  expect(document.complete).toBe(false);
  expect(codesOf(document)).toEqual(['ambiguous-scalar']);
});

test('plan compares nothing with a reference, and notes it', () => {
  const config = parsed(
    entries(`one: { options: { url: "\${env:SETPOINT_A}" } }`),
  );
  const document = plan(config, decoded(SNAPSHOT));
  expect(document.servers[0]?.summary.changes).toBe(0);
  expect(codesOf(document)).toEqual(['reference-missing']);
});

test('decode says what is wrong with a text', () => {
  expect(decode('<html>')).toEqual({ problem: expect.any(String) });
});

test('render names the formats if it does not know one', async () => {
  await expect(render(sampleDocument(), 'pdf' as Format)).rejects.toThrow(
    `format must be one of ${FORMATS.join(', ')}`,
  );
});
