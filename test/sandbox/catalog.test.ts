import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { permissionOf } from '../../src/core/model/permission.ts';
import { integrationIdFor, readCatalog } from '../../src/sandbox/catalog/catalog.ts';
import type { Unhosted } from '../../src/sandbox/catalog/unhosted.ts';
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
    expect((await readCatalog(folder, { read })).map(({ id }) => id)).toEqual([
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
    const [a, b] = await readCatalog(folder, { read });
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
  const options = (await readCatalog(EXAMPLE_CATALOG, { read })).flatMap(
    ({ configuration }) => configuration.options,
  );
  const kinds = new Set(options.map(({ type, multiple }) => `${type}${multiple ? ' of several' : ''}`));
  const permissions = new Set(options.map(({ flags }) => permissionOf(flags.adminOnly, flags.userCanEdit)));
  expect([...kinds].sort()).toEqual(['boolean', 'number', 'password', 'select', 'select of several', 'text']);
  expect([...permissions].sort()).toEqual(['invalid', 'lock-and-hide', 'lock-and-show', 'user-provides']);
  expect(options.filter(({ type, choices }) => type === 'select' && choices.length === 0)).toHaveLength(2);
});

/** The catalog as it is hosted, and what of it is not. */
async function hosted(files: Readonly<Record<string, unknown>>, ids: Readonly<Record<string, string>> = {}) {
  const unhosted: Unhosted[] = [];
  const onUnhosted = (part: Unhosted) => unhosted.push(part);
  const entries = await readCatalog(await catalogOf(files), { read, ids, onUnhosted });
  return { entries, unhosted };
}

const GOOD = integrationIdFor('good');

describe('what is left out, with its place, while the rest is hosted', () => {
  const pretty = (value: unknown) => JSON.stringify(value, undefined, 2);
  test.each([
    ['no JSON', '{', 1, 1, 'is not JSON'],
    ['a list', [], 1, 1, 'not a JSON object'],
    ['no name', { options: [] }, 1, 1, '`name`'],
    ['options that are no list', pretty({ name: 'A', options: {} }), 3, 14, '`options`'],
    ['an option that is none', pretty({ name: 'A', options: [1] }), 4, 5, '`options`'],
    ['an option without key', pretty({ name: 'A', options: [{ key: 'a' }, {}] }), 7, 5, '`key`'],
    [
      'an option twice',
      pretty({ name: 'A', options: ['x', 'y', 'x'].map((key) => ({ key })) }),
      10,
      5,
      'twice',
    ],
    ['a file that is too large', `"${'x'.repeat(1024 * 1024)}"`, 1, 1, ''],
    [
      'lists as deep as places are looked for',
      `{"name":"A","options":[${'['.repeat(32_000)}${']'.repeat(32_000)}]}`,
      1,
      24,
      '`key`',
    ],
    [
      'a text too long for places',
      `{"name":"A","options":[${'['.repeat(32 * 1024)}${']'.repeat(32 * 1024)}]}`,
      1,
      1,
      '`key`',
    ],
  ])('%s', async (_, content, line, column, words) => {
    const { entries, unhosted } = await hosted({ 'good.json': configuration('x'), 'bad.json': content });
    expect(entries.map(({ id }) => id)).toEqual([GOOD]);
    expect(unhosted).toEqual([
      { file: 'bad.json', line, column, leftOut: 'file', problem: expect.stringContaining(words) },
    ]);
  });
  test.each([
    ['of another type', { type: 'number', default: 'five' }, 0],
    ['without the form of a choice', { type: 'select', default: { label: 'a' } }, { display: '', value: '' }],
    ['with one item that is no choice', { type: 'select', multiple: true, default: ['a', {}] }, []],
    ['that is an object', { type: 'text', default: {} }, ''],
    ['that is no number', '{ "type": "number", "default": 1e999 }', 0],
  ])('a default %s: its option starts empty', async (_, entry, start) => {
    const text = typeof entry === 'string' ? entry.slice(1) : JSON.stringify(entry).slice(1);
    const json = `{ "name": "A",\n "options": [\n{ "key": "ok", "type": "text" },\n{ "key": "x", ${text}\n] }`;
    const { entries, unhosted } = await hosted({ 'a.json': json });
    expect(entries[0]?.configuration.options.map((each) => each.default)).toEqual(['', start]);
    expect(unhosted).toEqual([
      {
        file: 'a.json',
        line: 4,
        column: (json.split('\n')[3]?.indexOf('"default":') ?? 0) + (typeof entry === 'string' ? 12 : 11),
        leftOut: 'default',
        problem: expect.stringContaining('`x`'),
      },
    ]);
  });
  test('a file and a folder of one name, and files of one id: the first is hosted', async () => {
    const one = await hosted({ 'a.json': configuration('x'), 'a/config/config.json': configuration('y') });
    expect(one.entries.map(({ configuration: { options } }) => options[0]?.key)).toEqual(['x']);
    expect(one.unhosted).toMatchObject([
      { file: 'a/config/config.json', problem: expect.stringContaining('a.json') },
    ]);
    const files = { 'a.json': configuration('x'), 'b.json': configuration('x') };
    const { unhosted } = await hosted(files, { a: 'same', b: 'same' });
    expect(unhosted.map(({ file }) => file)).toEqual(['b.json']);
  });
  test('a catalog of which nothing is left is refused, after all was told', async () => {
    const unhosted: Unhosted[] = [];
    const folder = await catalogOf({ 'a.json': '{', 'b.json': '[]' });
    const reading = readCatalog(folder, { read, onUnhosted: (part) => unhosted.push(part) });
    await expect(reading).rejects.toMatchObject({ name: 'SandboxError', code: 'catalog-empty' });
    expect(unhosted.map(({ file }) => file)).toEqual(['a.json', 'b.json']);
  });
});

describe('what files leave open is filled in', () => {
  const options = [{ display: 'First', value: 'a' }];
  test.each([
    [
      'choices of several as plain texts',
      { type: 'select', multiple: true, options, default: ['a', 'b'] },
      [options[0], { display: 'b', value: 'b' }],
    ],
    ['a choice as a plain text', { type: 'select', options, default: 'a' }, options[0]],
    ['one choice for several', { type: 'select', multiple: true, default: options[0] }, options],
    ['a number as a text', { type: 'number', default: '5' }, 5],
    ['a boolean as a word', { type: 'boolean', default: 'true' }, true],
    ['null', { type: 'text', default: null }, ''],
    ['no type', { default: 'x' }, 'x'],
    ['an unknown type', { type: 'date', default: 'x' }, 'x'],
  ])('%s', async (_, entry, start) => {
    const { entries, unhosted } = await hosted({
      'a.json': { name: 'A', options: [{ key: 'x', ...entry }] },
    });
    expect([entries[0]?.configuration.options[0]?.default, unhosted]).toEqual([start, []]);
  });
  const corpus = process.env['SETPOINT_CORPUS'];
  test.skipIf(corpus === undefined)(
    'real files need nothing of it: all is hosted as it is written',
    async () => {
      const unhosted: Unhosted[] = [];
      await readCatalog(corpus ?? '', { read, onUnhosted: (part) => unhosted.push(part) });
      expect(unhosted).toEqual([]);
    },
  );
});

describe('what is refused', () => {
  test('a folder that is not there', () =>
    expect(readCatalog('/nonexistent/catalog', { read })).rejects.toMatchObject({
      code: 'catalog-missing',
      message: expect.stringContaining('/nonexistent/catalog'),
    }));
  test('a file in place of a folder', () =>
    expect(readCatalog('package.json', { read })).rejects.toMatchObject({ code: 'catalog-missing' }));
  test('a folder without configuration files', async () =>
    expect(readCatalog(await catalogOf({ 'notes.txt': '' }), { read })).rejects.toMatchObject({
      code: 'catalog-empty',
    }));
  test.each(['errors', '', '.', '..', 'a\ud800'])('the id %j, which no address could reach', async (id) =>
    expect(
      readCatalog(await catalogOf({ 'a.json': configuration('x') }), { read, ids: { a: id } }),
    ).rejects.toMatchObject({
      code: 'integration-ids',
    }),
  );
  test('an id for an integration that is not there', async () =>
    expect(
      readCatalog(await catalogOf({ 'a.json': configuration('x') }), { read, ids: { b: 'id' } }),
    ).rejects.toMatchObject({ code: 'integration-ids' }));
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
