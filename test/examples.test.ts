import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN, run } from './support/run.ts';
import { tempFolder } from './support/temp.ts';

const schemas = readdirSync('schemas').filter((name) =>
  name.endsWith('.schema.json'),
);
const folders = readdirSync('examples').filter(
  (name) => !['catalog', 'ci', 'fleet', 'gate'].includes(name),
);

test.each(folders)('examples/%s is valid', async (name) => {
  const cwd = `examples/${name}`;
  const files = readdirSync(cwd).includes('setpoint.yaml') ? [] : ['.'];
  const { code, stderr } = await run(['validate', ...files], { cwd });
  expect([code, stderr]).toEqual([0, '']);
});

test('the first screen of the README has the YAML of an example, and the plan that the commands print', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed = ''] =
    /\$ setpoint plan .*\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(readFileSync('examples/minimal/integrations.yaml', 'utf8')).toContain(
    yaml,
  );
  const { url } = await liveSandbox();
  const cwd = await tempFolder({ 'integrations.yaml': yaml });
  const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' };
  const { code, stdout } = await run(
    ['plan', '-f', 'integrations.yaml', '--url', url],
    { cwd, env, now: () => Date.parse('2026-11-22T12:00:00Z') },
  );
  const { host } = new URL(url);
  const shown = stdout
    .replaceAll(`http://${host}`, 'https://platform.example.com')
    .replaceAll(host, 'platform.example.com');
  expect([code, shown]).toEqual([0, printed]);
});

describe.each(schemas)('%s', (name) => {
  const schema: unknown = JSON.parse(readFileSync(`schemas/${name}`, 'utf8'));
  test('is a valid draft-07 schema', () => {
    const ajv = new Ajv({
      strict: true,
      allowUnionTypes: true,
      strictTypes: false,
      strictRequired: false,
    });
    expect(ajv.validateSchema(schema as object)).toBe(true);
    expect(() => ajv.compile(schema as object)).not.toThrow();
  });
  test('describes every property', () => {
    expect(undescribed(schema, '#')).toEqual([]);
  });
});

/** The paths of properties and definitions that no description says anything of. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, child]) => {
    const below = `${path}/${key}`;
    // Conditions narrow properties that are described beside them.
    if (key === 'allOf') return [];
    if (key !== 'properties' && key !== 'definitions')
      return undescribed(child, below);
    return Object.entries(child as Record<string, object>).flatMap(
      ([name, property]) => [
        ...('description' in property || '$ref' in property
          ? []
          : [`${below}/${name}`]),
        ...undescribed(property, `${below}/${name}`),
      ],
    );
  });
}
