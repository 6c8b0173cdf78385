import { expect, test } from 'vitest';
import { installAll } from '../../src/sandbox/catalog.ts';
import { defined } from '../support/catalog.ts';
import { configuration, option } from '../support/live-sandbox.ts';
import { withSandbox } from '../support/sandbox.ts';
import { patchOptions, readOption } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const own = (...keys: readonly string[]) =>
  configuration(...keys.map((key) => option(key, 'text')));

test('ids are the name with underscores, the runtime, ten digits', () => {
  const catalog = ['my-thing', 'zeta'].map((name) => defined(name, { name }));
  const installed = installAll({ catalog });
  expect(installed.map(({ id }) => id)).toEqual([
    'my_thing_node_18_1618562085',
    'zeta_node_18_1716155793',
  ]);
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
