import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const schemas = readdirSync('schemas').filter((name) => name.endsWith('.schema.json'));
const folders = readdirSync('examples').filter((name) => !['catalog', 'ci', 'gate'].includes(name));

test.each(folders)('examples/%s is valid', async (name) => {
  const isProject = readdirSync(`examples/${name}`).includes('setpoint.yaml');
  const named = isProject
    ? run(['validate'], { cwd: `examples/${name}` })
    : run(['validate', `examples/${name}`]);
  const { code, stderr } = await named;
  expect([code, stderr]).toEqual([0, '']);
});

test('the YAML of the README is valid, and the one of the demo', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const { parseConfig } = await import('../src/core/config/config.ts');
  expect(parseConfig([[{ path: 'README.md', text: yaml }]]).diagnostics).toEqual([]);
  const minimal = readFileSync('examples/minimal/integrations.yaml', 'utf8');
  expect(minimal).toContain(yaml);
});

test('the first screen of the README has the plan that the commands print', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed = ''] = /\$ setpoint plan .*\n.*\n([\s\S]*?)```/.exec(readme) ?? [];
  const { liveSandbox } = await import('./support/live-sandbox.ts');
  const { tempFolder } = await import('./support/temp.ts');
  const { url } = await liveSandbox();
  const cwd = await tempFolder({ 'integrations.yaml': yaml });
  const env = {
    SETPOINT_USERNAME: 'admin',
    SETPOINT_PASSWORD: 'admin',
    SETPOINT_THREATLOOKUP_KEY: 'k-12345678',
  };
  const { stdout } = await run(['plan', '-f', 'integrations.yaml', '--url', url], { cwd, env });
  expect(stdout).toBe(`${url}\n${printed}`);
});

describe.each(schemas)('%s', (name) => {
  const schema: unknown = JSON.parse(readFileSync(`schemas/${name}`, 'utf8'));
  test('is a valid draft-07 schema', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
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
    if (key !== 'properties' && key !== 'definitions') return undescribed(child, below);
    return Object.entries(child as Record<string, object>).flatMap(([name, property]) => [
      ...('description' in property || '$ref' in property ? [] : [`${below}/${name}`]),
      ...undescribed(property, `${below}/${name}`),
    ]);
  });
}
