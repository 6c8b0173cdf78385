import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataFile } from '../../../src/sandbox/state/data-file.ts';
import type { IntegrationChange } from '../../../src/sandbox/state/integration-state.ts';
import { Store, UnwritableError } from '../../../src/sandbox/state/store.ts';
import { read as readSource } from '../../support/read.ts';

const folders: string[] = [];
const file = () => join(folders[0] ?? '', 'data');
beforeEach(async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'setpoint-snapshot-')));
});
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

const set = (id: string, key: string, value: string): IntegrationChange => ({
  id,
  options: [{ key, value }],
});

/** Opens the file, appends, closes. */
async function write(...changes: readonly IntegrationChange[]): Promise<void> {
  const data = await openDataFile(file(), readSource);
  await Promise.all(changes.map((change) => data.append(change)));
  await data.close();
}

async function read(path = file()): Promise<readonly IntegrationChange[]> {
  const data = await openDataFile(path, readSource);
  await data.close();
  return [...data.changes.values()];
}

describe('what was written is there again', () => {
  test('a file that is not there begins empty', async () => expect(await read()).toEqual([]));
  test('changes of several integrations, the later upon the earlier', async () => {
    await write(
      set('a', 'x', '1'),
      set('b', 'x', '2'),
      { id: 'a', attributes: { autosubscribe: true } },
      {
        id: 'a',
        options: [
          { key: 'x', flags: { adminOnly: true, userCanEdit: false } },
          { key: 'y', value: 'ä\n€' },
        ],
      },
    );
    expect(await read()).toEqual([
      {
        id: 'a',
        attributes: { autosubscribe: true },
        options: [
          { key: 'x', value: '1', flags: { adminOnly: true, userCanEdit: false } },
          { key: 'y', value: 'ä\n€' },
        ],
      },
      set('b', 'x', '2'),
    ]);
  });
  test('changes are added to those of earlier runs', async () => {
    await write(set('a', 'x', '1'));
    await write(set('a', 'y', '2'));
    await write(set('a', 'x', '3'));
    expect(await read()).toMatchObject([
      {
        id: 'a',
        options: [
          { key: 'x', value: '3' },
          { key: 'y', value: '2' },
        ],
      },
    ]);
  });
  test('the file holds one JSON document, without what later changes replaced', async () => {
    await write(...Array.from({ length: 50 }, (_, index) => set('a', 'x', String(index))));
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({
      format: 'setpoint-sandbox',
      changes: [set('a', 'x', '49')],
    });
  });
  test('only the owner may read the file, also where others could before', async () => {
    await write(set('a', 'x', 'secret'));
    await chmod(file(), 0o644);
    await read();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
  test('a link to the file stays a link', async () => {
    await write(set('a', 'x', '1'));
    const link = join(folders[0] ?? '', 'link');
    await symlink(file(), link);
    expect(await read(link)).toHaveLength(1);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });
  test('nothing is left beside the file', async () => {
    await write(set('a', 'x', '1'));
    expect(await readdir(folders[0] ?? '')).toEqual(['data']);
  });
});

describe('a file that is damaged', () => {
  const refused = async (content: Buffer | string) => {
    await writeFile(file(), content);
    await expect(read()).rejects.toMatchObject({ name: 'SandboxError', code: 'data-file-damaged' });
    expect(await readFile(file())).toEqual(Buffer.from(content));
  };
  test('is refused wherever a byte was altered, and left as it is', async () => {
    await write(set('a', 'x', '1'), set('b', 'x', '2'));
    const whole = await readFile(file());
    for (let index = 0; index < whole.length - 1; index += 1) {
      const altered = Buffer.from(whole);
      altered[index] = (whole[index] ?? 0) ^ 1;
      await refused(altered);
    }
  });
  test('is refused wherever it was cut short', async () => {
    await write(set('a', 'x', '1'), set('b', 'ä', '2€'));
    const whole = await readFile(file());
    for (let length = 0; length < whole.length - 1; length += 1) await refused(whole.subarray(0, length));
  });
  test.each([
    ['empty', ''],
    ['JSON of another kind', '{"format":"something else"}\n'],
    ['a list', '[]'],
    ['of another version', '{"format":"setpoint-sandbox","version":1,"changes":[]}'],
    ['without changes', '{"format":"setpoint-sandbox","version":2}'],
    [
      'the log of lines that the sandbox wrote before',
      '0123456789abcdef {"format":"setpoint-sandbox","version":1}\n0123456789abcdef {"id":"a"}\n',
    ],
    ['no JSON', 'hello'],
  ])('is refused where it is %s', (_, content) => refused(content));
  test('the message names the file', async () => {
    await writeFile(file(), 'hello');
    await expect(read()).rejects.toThrow(file());
  });
});

describe('a file that cannot be used', () => {
  test('is locked against a second process, until it is closed', async () => {
    const data = await openDataFile(file(), readSource);
    await expect(openDataFile(file(), readSource)).rejects.toMatchObject({ code: 'data-file-in-use' });
    await data.close();
    expect(await read()).toEqual([]);
  });
  test('is not locked after it was refused', async () => {
    await writeFile(file(), 'damage\n');
    await expect(read()).rejects.toMatchObject({ code: 'data-file-damaged' });
    await rm(file());
    expect(await read()).toEqual([]);
  });
  test('in a folder that is not there', () =>
    expect(openDataFile('/nonexistent/data', readSource)).rejects.toMatchObject({
      code: 'data-file-refused',
      message: expect.stringContaining('ENOENT'),
    }));
  test('that is a folder', async () =>
    expect(openDataFile(folders[0] ?? '', readSource)).rejects.toMatchObject({
      code: 'data-file-refused',
      message: expect.stringContaining('it is not a regular file'),
    }));
});

test('a write that fails refuses its changes, those that wait behind it, and all later ones', async () => {
  const data = await openDataFile(file(), readSource);
  await rm(folders[0] ?? '', { recursive: true });
  const first = data.append(set('a', 'x', '1'));
  await Promise.resolve();
  const second = data.append(set('a', 'x', '2'));
  const unwritable = { name: 'UnwritableError', cause: { code: 'ENOENT' } };
  await expect(first).rejects.toMatchObject(unwritable);
  await expect(second).rejects.toMatchObject(unwritable);
  await mkdir(folders[0] ?? '');
  await expect(data.append(set('a', 'x', '3'))).rejects.toMatchObject(unwritable);
  await data.close();
  expect(await read()).toEqual([]);
});

test('changes that arrive together share one write, and those that arrive during it share the next', async () => {
  const data = await openDataFile(file(), readSource);
  const first = [data.append(set('a', 'x', '0')), data.append(set('b', 'x', '0'))];
  await Promise.resolve();
  const second = Array.from({ length: 100 }, (_, index) => data.append(set('a', 'x', String(index))));
  expect(new Set([...first, ...second]).size).toBe(2);
  await Promise.all(first);
  await Promise.all(second);
  await data.close();
  expect(await read()).toMatchObject([set('a', 'x', '99'), set('b', 'x', '0')]);
});

test('a change that could not be kept does not stay visible', async () => {
  const before = { id: 'a', attributes: {}, options: new Map(), errors: [] };
  const log = { append: () => Promise.reject(new UnwritableError(new Error('the disk is full'))) };
  const store = new Store([before], log);
  await expect(store.commit({ id: 'a', attributes: {} })).rejects.toBeInstanceOf(UnwritableError);
  expect(store.find('a')).toBe(before);
});
