import { describe, expect, test } from 'vitest';
import { readCatalog } from '../../src/sandbox/catalog.ts';
import { withSandbox } from '../support/sandbox.ts';
import { patchOptions, readOption } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const configuration = (...keys: readonly string[]) => ({
  name: 'A',
  acronym: 'A',
  options: keys.map((key) => ({
    key,
    name: key,
    default: '',
    type: 'text',
    userCanEdit: false,
    adminOnly: false,
  })),
});

function catalogOf(files: Readonly<Record<string, unknown>>): Promise<string> {
  const texts = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  return tempFolder(Object.fromEntries(texts));
}

/** The catalog as it is hosted, and what of it is not. */
async function hosted(files: Readonly<Record<string, unknown>>) {
  const unhosted: { readonly file: string; readonly problem: string }[] = [];
  const onUnhosted = (part: (typeof unhosted)[number]) => unhosted.push(part);
  return { entries: await readCatalog({ catalog: await catalogOf(files), onUnhosted }), unhosted };
}

describe('what a catalog is', () => {
  test('files and folders, each once, ordered by id', async () => {
    const { entries, unhosted } = await hosted({
      'zeta.json': configuration('x'),
      'my-thing/config/config.json': configuration('y'),
      'my-thing/package.json': 'not looked at',
      'docs/readme.md': 'not looked at',
      'notes.txt': 'not looked at',
    });
    expect(entries.map(({ id }) => id)).toEqual(['my_thing_node_18_1618562085', 'zeta_node_18_1716155793']);
    expect(unhosted).toEqual([]);
  });
  test('an id is the name with underscores, the runtime and ten digits, always the same', async () => {
    const names = ['a-b', 'a.b', 'threat-lookup', 'x-force exchange.v2'];
    const files = names.map((name) => [`${name}.json`, configuration('x')]);
    const { entries } = await hosted(Object.fromEntries(files));
    const [first, second, threat, spaced] = entries.map(({ id }) => id);
    expect([first, second]).toEqual([0, 1].map(() => expect.stringMatching(/^a_b_node_18_\d{10}$/)));
    expect(first).not.toBe(second);
    expect(threat).toBe('threat_lookup_node_18_1717337597');
    expect(spaced).toMatch(/^x_force_exchange_v2_node_18_\d{10}$/);
  });
});

test.each([
  ['no JSON', '{'],
  ['options that are no list', { name: 'A', options: {} }],
  ['an option without key', { name: 'A', options: [{ key: 'a' }, {}] }],
  ['an option twice', { name: 'A', options: ['x', 'y', 'x'].map((key) => ({ key })) }],
  ['lists without end', `{"name":"A","options":[${'['.repeat(32_000)}${']'.repeat(32_000)}]}`],
])('%s is left out, while the rest is hosted', async (_, content) => {
  const { entries, unhosted } = await hosted({ 'good.json': configuration('x'), 'bad.json': content });
  expect(entries.map(({ id }) => id)).toEqual(['good_node_18_1617430902']);
  expect(unhosted.map(({ file }) => file)).toEqual(['bad.json']);
});

describe('what files leave open is filled in', () => {
  const options = [{ display: 'First', value: 'a' }];
  test.each([
    ['no default', { type: 'text' }, ''],
    ['no choice', { type: 'select' }, { display: '', value: '' }],
    ['a default of another type', { type: 'number', default: 'five' }, 0],
    ['one choice for several', { type: 'select', multiple: true, default: options[0] }, options],
  ])('%s', async (_, entry, start) => {
    const { entries } = await hosted({ 'a.json': { name: 'A', options: [{ key: 'x', ...entry }] } });
    expect(entries[0]?.options).toMatchObject([
      { name: 'x', value: start, 'admin-only': true, 'user-can-edit': false },
    ]);
  });
});

test.each([
  ['a folder that is not there', () => '/nonexistent/catalog'],
  ['a file in place of a folder', () => 'package.json'],
  ['a folder without configuration files', () => catalogOf({ 'notes.txt': '' })],
  ['a catalog of which nothing is left', () => catalogOf({ 'a.json': '{' })],
])('%s is refused', async (_, folder) => {
  await expect(readCatalog({ catalog: await folder() })).rejects.toMatchObject({
    name: 'SandboxError',
  });
});

test('a PATCH reaches the integration that all of its ids name; an ambiguous id is 409', async () => {
  const catalog = await catalogOf({
    'one.json': configuration('b-c', 'own'),
    'two.json': configuration('c', 'other'),
  });
  await withSandbox({ catalog, ids: { one: 'a', two: 'a-b' } }, async (sandbox) => {
    expect((await patchOptions(sandbox, 'a', { 'b-c': { value: 'x' } })).status).toBe(409);
    await patchOptions(sandbox, 'a-b', { c: { value: 'two' }, other: { value: 'z' } });
    await patchOptions(sandbox, 'a', { own: { value: 'y' }, 'b-c': { value: 'one' } });
    expect((await readOption(sandbox, 'a', 'b-c'))['value']).toBe('one');
    expect((await readOption(sandbox, 'a-b', 'c'))['value']).toBe('two');
  });
});
