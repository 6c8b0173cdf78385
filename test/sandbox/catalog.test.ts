import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { permissionOf } from '../../src/core/model/permission.ts';
import { integrationIdFor, readCatalog } from '../../src/sandbox/catalog/catalog.ts';
import { at, listAt } from '../support/at.ts';
import { read } from '../support/read.ts';
import { EXAMPLE_CATALOG, type TestSandbox, withSandbox } from '../support/sandbox.ts';
import { patchOptions, readOption } from '../support/sandbox-requests.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

const option = (key: string) => ({
  key,
  name: key,
  description: '',
  default: '',
  type: 'text',
  userCanEdit: false,
  adminOnly: false,
});
const configuration = (...keys: readonly string[]) => ({
  name: 'A',
  acronym: 'A',
  options: keys.map(option),
});

async function catalogOf(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-catalog-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

describe('what a catalog is', () => {
  test('files and folders, each once, ordered by id', async () => {
    const folder = await catalogOf({
      'zeta.json': configuration('x'),
      'my-thing/config/config.json': configuration('y'),
      'my-thing/package.json': 'not looked at',
      'my-thing/config/other.json': 'not looked at',
      'notes.txt': 'not looked at',
    });
    expect((await readCatalog(folder, read)).map(({ id }) => id)).toEqual([
      integrationIdFor('my-thing'),
      integrationIdFor('zeta'),
    ]);
  });
  test('an id is the name with underscores, the runtime and ten digits, always the same', () => {
    expect(integrationIdFor('x-force exchange.v2')).toMatch(/^x_force_exchange_v2_node_18_\d{10}$/);
    expect(integrationIdFor('a-b')).not.toBe(integrationIdFor('a.b'));
    expect(integrationIdFor('threat-lookup')).toBe('threat_lookup_node_18_1717337597');
  });
  test('defaults and flags that a file leaves out', async () => {
    const folder = await catalogOf({
      'a.json': {
        name: 'A',
        options: ['text', 'number', 'boolean', 'select'].map((type) => ({ key: type, type })),
      },
      'b.json': { name: 'B' },
    });
    const [a, b] = await readCatalog(folder, read);
    expect(a?.configuration.options.map((each) => each.default)).toEqual([
      '',
      0,
      false,
      { display: '', value: '' },
    ]);
    expect(a?.configuration.options[0]).toMatchObject({
      name: 'text',
      flags: { adminOnly: true, userCanEdit: false },
    });
    expect(b?.configuration.options).toEqual([]);
  });
});

test('the examples have every type, every permission, the pair that has no meaning, and a select that is filled in at run time', async () => {
  const options = (await readCatalog(EXAMPLE_CATALOG, read)).flatMap(
    ({ configuration }) => configuration.options,
  );
  const kinds = new Set(options.map(({ type, multiple }) => `${type}${multiple ? ' of several' : ''}`));
  const permissions = new Set(options.map(({ flags }) => permissionOf(flags.adminOnly, flags.userCanEdit)));
  expect([...kinds].sort()).toEqual(['boolean', 'number', 'password', 'select', 'select of several', 'text']);
  expect([...permissions].sort()).toEqual(['invalid', 'lock-and-hide', 'lock-and-show', 'user-provides']);
  expect(options.filter(({ type, choices }) => type === 'select' && choices.length === 0)).toHaveLength(2);
});

describe('what is refused, with the file', () => {
  test.each([
    ['no JSON', '{', 'is not JSON'],
    ['a list', [], 'not a JSON object'],
    ['no name', { options: [] }, '`name`'],
    ['options that are no list', { name: 'A', options: {} }, '`options`'],
    ['an option that is none', { name: 'A', options: [1] }, '`options`'],
    ['an option without key', { name: 'A', options: [{ type: 'text' }] }, 'no key'],
    ['an option without type', { name: 'A', options: [{ key: 'x' }] }, '`x` has no type'],
    ['an option twice', configuration('x', 'y', 'x'), 'lists the option `x` twice'],
    [
      'a default of another type',
      { name: 'A', options: [{ key: 'x', type: 'number', default: '5' }] },
      'default of the option `x`',
    ],
    [
      'a default that is no choice',
      { name: 'A', options: [{ key: 'x', type: 'select', default: ['a'] }] },
      'default of the option `x`',
    ],
  ])('%s', async (_, content, words) => {
    const folder = await catalogOf({ 'good.json': configuration('x'), 'bad.json': content });
    const refusal = expect(readCatalog(folder, read)).rejects;
    await refusal.toMatchObject({ name: 'SandboxError', code: 'configuration-invalid' });
    await refusal.toThrow(join(folder, 'bad.json'));
    await refusal.toThrow(words);
  });
  test('a folder that is not there', () =>
    expect(readCatalog('/nonexistent/catalog', read)).rejects.toMatchObject({
      code: 'catalog-missing',
      message: expect.stringContaining('/nonexistent/catalog'),
    }));
  test('a file in place of a folder', () =>
    expect(readCatalog('package.json', read)).rejects.toMatchObject({ code: 'catalog-missing' }));
  test('a folder without configuration files', async () =>
    expect(readCatalog(await catalogOf({ 'notes.txt': '' }), read)).rejects.toMatchObject({
      code: 'catalog-empty',
    }));
  test('a file and a folder of one name', async () => {
    const folder = await catalogOf({
      'a.json': configuration('x'),
      'a/config/config.json': configuration('x'),
    });
    await expect(readCatalog(folder, read)).rejects.toMatchObject({ code: 'integration-ids' });
  });
  test.each(['errors', '', '.', '..', 'a\ud800'])('the id %j, which no address could reach', async (id) =>
    expect(
      readCatalog(await catalogOf({ 'a.json': configuration('x') }), read, { a: id }),
    ).rejects.toMatchObject({
      code: 'integration-ids',
    }),
  );
  test('an id for an integration that is not there', async () =>
    expect(
      readCatalog(await catalogOf({ 'a.json': configuration('x') }), read, { b: 'id' }),
    ).rejects.toMatchObject({ code: 'integration-ids' }));
  test('one id for two integrations', async () => {
    const folder = await catalogOf({ 'a.json': configuration('x'), 'b.json': configuration('x') });
    await expect(readCatalog(folder, read, { a: 'same', b: 'same' })).rejects.toMatchObject({
      code: 'integration-ids',
    });
  });
});

describe('ids with dashes, where two integrations compose one option id', () => {
  const withDashes = async (check: (sandbox: TestSandbox) => Promise<void>) => {
    const catalog = await catalogOf({
      'one.json': configuration('b-c', 'own'),
      'two.json': configuration('c', 'other'),
    });
    await withSandbox({ catalog, ids: { one: 'a', two: 'a-b' } }, check);
  };
  test('each integration serves its own option in its own items, and none of them is included', () =>
    withDashes(async (sandbox) => {
      const { body } = await sandbox.send('GET', '/api/integrations');
      const keys = (index: number) =>
        listAt(body, 'data', index, 'relationships', 'integration-options', 'data').map((each) => [
          at(each, 'id'),
          at(each, 'attributes', 'key'),
        ]);
      expect([keys(0), keys(1)]).toEqual([
        [
          ['a-b-c', 'b-c'],
          ['a-own', undefined],
        ],
        [
          ['a-b-c', 'c'],
          ['a-b-other', undefined],
        ],
      ]);
      expect(listAt(body, 'included').map((each) => at(each, 'id'))).toEqual(['a-own', 'a-b-other']);
    }));
  test('a PATCH reaches the integration that the rest of it names; alone, such an id is 409', () =>
    withDashes(async (sandbox) => {
      expect((await patchOptions(sandbox, 'a', { 'b-c': { value: 'x' } })).status).toBe(409);
      expect(
        (await patchOptions(sandbox, 'a-b', { c: { value: 'two' }, other: { value: 'z' } })).status,
      ).toBe(200);
      expect(
        (await patchOptions(sandbox, 'a', { own: { value: 'y' }, 'b-c': { value: 'one' } })).status,
      ).toBe(200);
      expect((await readOption(sandbox, 'a', 'b-c'))['value']).toBe('one');
      expect((await readOption(sandbox, 'a-b', 'c'))['value']).toBe('two');
    }));
});
