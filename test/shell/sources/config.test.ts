import { expect, test } from 'vitest';
import type { Run } from '../../../src/shell/run.ts';
import { configReader } from '../../../src/shell/sources/config.ts';
import { tempFolder } from '../../support/temp.ts';

/** What reads configurations in a folder with a shared file and one of each of two servers. */
async function reader() {
  const shared = 'version: 1\nintegrations: { a: { options: { k: x } } }\n';
  const cwd = await tempFolder({
    'own-1.yaml': 'version: 1\n',
    'own-2.yaml': 'version: 1\n',
    'shared.yaml': shared,
  });
  const run = {
    runtime: { cwd, now: Date.now },
    interruption: { check: () => {} },
    sources: new Map(),
    outputFiles: new Map(),
  };
  const read = configReader(run as unknown as Run);
  return (...paths: readonly string[]) =>
    read(paths.map((path) => ({ path, base: cwd })));
}

test('a file that configurations share is read and parsed once, and so is a whole configuration', async () => {
  const read = await reader();
  const [one, same, other] = await Promise.all([
    read('shared.yaml', 'own-1.yaml'),
    read('shared.yaml', 'own-1.yaml'),
    read('shared.yaml', 'own-2.yaml'),
  ]);
  expect([one, same, other].flatMap((each) => each?.diagnostics)).toEqual([]);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  expect(other?.files[0]?.[0]).toBe(one?.files[0]?.[0]);
  const [sharedEntry] = one?.value?.entries ?? [];
  const [otherEntry] = other?.value?.entries ?? [];
  expect(otherEntry?.declarations).toBe(sharedEntry?.declarations);
});
