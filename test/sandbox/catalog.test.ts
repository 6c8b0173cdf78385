import { expect, test } from 'vitest';
import { readCatalog } from '../../src/sandbox/catalog.ts';
import { configuration, option } from '../support/live-sandbox.ts';
import { withSandbox } from '../support/sandbox.ts';
import { patchOptions, readOption } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const own = (...keys: readonly string[]) =>
  configuration(...keys.map((key) => option(key, 'text')));

/** The catalog as it is hosted, and what of it is not. */
async function hosted(files: Readonly<Record<string, string>>) {
  const unhosted: { readonly file: string; readonly problem: string }[] = [];
  const onUnhosted = (part: (typeof unhosted)[number]) => unhosted.push(part);
  const entries = await readCatalog({
    catalog: await tempFolder(files),
    onUnhosted,
  });
  return {
    entries,
    ids: entries.map(({ id }) => id),
    unhosted: unhosted.map(({ file }) => file),
  };
}

test('a catalog is files and folders, ordered by id: the name with underscores, the runtime, ten digits', async () => {
  const { ids, unhosted } = await hosted({
    'zeta.json': own('x'),
    'my-thing/config/config.json': own('y'),
    'my-thing/package.json': 'not looked at',
    'docs/readme.md': 'not looked at',
    'notes.txt': 'not looked at',
  });
  expect(ids).toEqual([
    'my_thing_node_18_1618562085',
    'zeta_node_18_1716155793',
  ]);
  expect(unhosted).toEqual([]);
  const [first, second] = (
    await hosted({ 'a-b.json': own('x'), 'a.b.json': own('x') })
  ).ids;
  expect([first, second]).toEqual(
    [0, 1].map(() => expect.stringMatching(/^a_b_node_18_\d{10}$/)),
  );
  expect(first).not.toBe(second);
});

test.each([
  ['no JSON', '{'],
  ['options that are no list', '{ "name": "A", "options": {} }'],
  ['an option without key', '{ "name": "A", "options": [{ "key": "a" }, {}] }'],
  ['an option twice', own('x', 'y', 'x')],
  [
    'lists without end',
    `{"name":"A","options":[${'['.repeat(32_000)}${']'.repeat(32_000)}]}`,
  ],
])('%s is left out, while the rest is hosted', async (_, content) => {
  const { ids, unhosted } = await hosted({
    'good.json': own('x'),
    'bad.json': content,
  });
  expect([ids, unhosted]).toEqual([['good_node_18_1617430902'], ['bad.json']]);
});

test('a PATCH reaches the integration that all of its ids name', async () => {
  const catalog = await tempFolder({
    'one.json': own('b-c', 'own'),
    'two.json': own('c', 'other'),
  });
  await withSandbox(
    { catalog, ids: { one: 'a', two: 'a-b' } },
    async (sandbox) => {
      await patchOptions(sandbox, 'a-b', {
        c: { value: 'two' },
        other: { value: 'z' },
      });
      await patchOptions(sandbox, 'a', {
        own: { value: 'y' },
        'b-c': { value: 'one' },
      });
      expect((await readOption(sandbox, 'a', 'b-c'))['value']).toBe('one');
      expect((await readOption(sandbox, 'a-b', 'c'))['value']).toBe('two');
    },
  );
});
