import { lstat, mkdir, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IntegrationChange } from '../../../src/sandbox/state/integration-state.ts';
import { Journal, openJournal } from '../../../src/sandbox/state/journal.ts';
import { Store, UnwritableError } from '../../../src/sandbox/state/store.ts';

const folders: string[] = [];
const file = () => join(folders[0] ?? '', 'data');
beforeEach(async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'setpoint-journal-')));
});
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

const set = (id: string, key: string, value: string): IntegrationChange => ({
  id,
  options: [{ key, value }],
});

/** Opens the file, appends, closes. */
async function write(...changes: readonly IntegrationChange[]): Promise<void> {
  const { journal } = await openJournal(file());
  await Promise.all(changes.map((change) => journal.append(change)));
  await journal.close();
}

async function read(): Promise<readonly IntegrationChange[]> {
  const { journal, changes } = await openJournal(file());
  await journal.close();
  return [...changes.values()];
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
    expect(await read()).toEqual([
      {
        id: 'a',
        options: [
          { key: 'x', value: '3' },
          { key: 'y', value: '2' },
        ],
      },
    ]);
  });
  test('what later changes have replaced is dropped at the next start', async () => {
    await write(...Array.from({ length: 50 }, (_, index) => set('a', 'x', String(index))));
    await read();
    expect((await readFile(file(), 'utf8')).trimEnd().split('\n')).toHaveLength(2);
    expect(await read()).toEqual([set('a', 'x', '49')]);
  });
  test('only the owner may read the file, also where it was open to others before', async () => {
    await write(set('a', 'x', 'secret'));
    const handle = await open(file());
    await handle.chmod(0o644);
    await handle.close();
    await read();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
  test('a link to the file stays a link', async () => {
    await mkdir(join(folders[0] ?? '', 'real'));
    await writeFile(join(folders[0] ?? '', 'real', 'data'), '');
    await rm(join(folders[0] ?? '', 'real', 'data'));
    await write(set('a', 'x', '1'));
    const link = join(folders[0] ?? '', 'link');
    await symlink(file(), link);
    const { journal, changes } = await openJournal(link);
    await journal.close();
    expect([changes.size, (await lstat(link)).isSymbolicLink()]).toEqual([1, true]);
  });
  test('what an earlier start left half-made does not matter', async () => {
    await write(set('a', 'x', '1'));
    await writeFile(`${file()}.new`, 'half');
    expect(await read()).toEqual([set('a', 'x', '1')]);
  });
});

describe('a file that a kill cut short', () => {
  test('opens at whatever byte it was cut, with the changes that are whole', async () => {
    await write(set('a', 'x', '1'), set('b', 'ä', '2€'), set('c', 'x', '3'));
    const whole = await readFile(file());
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1);
    const [header = 0] = ends;
    for (let length = header; length <= whole.length; length += 1) {
      await writeFile(file(), whole.subarray(0, length));
      // A line is whole also without its line break.
      const expected = ends.filter((end) => end - 1 <= length).length - 1;
      expect((await read()).length, `cut at ${length}`).toBe(expected);
    }
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
  test('is refused where a line is missing, moved or doubled', async () => {
    await write(set('a', 'x', '1'), set('b', 'x', '2'), set('c', 'x', '3'));
    const [header, a, b, c] = (await readFile(file(), 'utf8')).split('\n').map((line) => `${line}\n`);
    for (const lines of [
      [header, b, c],
      [header, a, c],
      [a, b, c],
      [header, b, a, c],
      [header, a, a, b, c],
    ])
      await refused(lines.join(''));
  });
  test.each([
    ['empty', ''],
    ['of another kind', '{"format":"something else"}\n'],
    ['a text without line break', 'hello'],
  ])('is refused where it is %s', (_, content) => refused(content));
  test('the message names the file and the line', async () => {
    await write(set('a', 'x', '1'), set('b', 'x', '2'));
    await writeFile(file(), (await readFile(file(), 'utf8')).replace('"b"', '"B"'));
    await expect(read()).rejects.toThrow(`${file()} is damaged from line 3 on`);
  });
});

describe('a file that cannot be used', () => {
  test('is locked against a second process, until it is closed', async () => {
    const { journal } = await openJournal(file());
    await expect(openJournal(file())).rejects.toMatchObject({ code: 'data-file-in-use' });
    await journal.close();
    expect(await read()).toEqual([]);
  });
  test('is not locked after it was refused', async () => {
    await writeFile(file(), 'damage\n');
    await expect(read()).rejects.toMatchObject({ code: 'data-file-damaged' });
    await rm(file());
    expect(await read()).toEqual([]);
  });
  test('in a folder that is not there', () =>
    expect(openJournal('/nonexistent/data')).rejects.toMatchObject({
      code: 'data-file-refused',
      message: expect.stringContaining('ENOENT'),
    }));
  test('that is a folder', async () =>
    expect(openJournal(folders[0] ?? '')).rejects.toMatchObject({
      code: 'data-file-refused',
      message: expect.stringContaining('EISDIR'),
    }));
});

test('after a write that failed, nothing more is taken', async () => {
  await writeFile(file(), '');
  const journal = new Journal(await open(file(), 'r'), { release: async () => {} }, '');
  const [first, second] = [journal.append(set('a', 'x', '1')), journal.append(set('a', 'x', '2'))];
  const unwritable = { name: 'UnwritableError', cause: { code: 'EBADF' } };
  await expect(first).rejects.toMatchObject(unwritable);
  await expect(second).rejects.toMatchObject(unwritable);
  expect(() => journal.append(set('a', 'x', '3'))).toThrow('can no longer be written');
  await journal.close();
});

test('changes that come together share one write, in the order of their calls', async () => {
  const { journal } = await openJournal(file());
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      journal.append(set('a', 'x', String(index))).then(() => order.push(index)),
    ),
  );
  await journal.close();
  expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(await read()).toEqual([set('a', 'x', '99')]);
});

test('a change that could not be kept does not stay visible', async () => {
  const before = { id: 'a', attributes: {}, options: new Map(), errors: [] };
  const log = { append: () => Promise.reject(new UnwritableError(new Error('the disk is full'))) };
  const store = new Store([before], log);
  await expect(store.commit({ id: 'a', attributes: {} })).rejects.toBeInstanceOf(UnwritableError);
  expect(store.find('a')).toBe(before);
});
