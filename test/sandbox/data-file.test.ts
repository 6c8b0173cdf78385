import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import { EXAMPLE_CATALOG, startTestSandbox, withSandbox } from '../support/sandbox.ts';
import {
  ASSETS,
  optionsBody,
  patchAttributes,
  patchOptions,
  readOption,
  THREAT,
} from '../support/sandbox-requests.ts';

const folders: string[] = [];
const path = (name: string) => join(folders[0] ?? '', name);
beforeEach(async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'setpoint-data-')));
});
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

test('values, flags, attributes and errors are there after a restart', async () => {
  const wish = { dataFile: path('data'), raiseErrors: ['threat_*'] };
  const state = async () => {
    const read: unknown[] = [];
    await withSandbox(wish, async (sandbox) => {
      for (const address of ['/api/integrations', '/api/integrations/errors'])
        read.push((await sandbox.send('GET', address)).body);
    });
    return read;
  };
  await withSandbox(wish, async (sandbox) => {
    await patchOptions(sandbox, THREAT, {
      apiKey: { value: 'kept', 'admin-only': false },
      types: { value: [] },
    });
    await patchOptions(sandbox, ASSETS, { port: { value: 1 } });
    await patchAttributes(sandbox, THREAT, { autosubscribe: true, name: 'Renamed' });
  });
  const first = await state();
  expect(at(first[1], 'data', 0, 'attributes', 'error-count')).toBe(2);
  expect(JSON.stringify(first)).toContain('"Renamed"');
  expect(await state()).toEqual(first);
});

test('a change that was refused leaves no trace', async () => {
  await withSandbox({ dataFile: path('data') }, async (sandbox) => {
    await patchOptions(sandbox, THREAT, { timeout: { value: 'x' }, apiKey: { value: 'never' } });
  });
  expect(await readFile(path('data'), 'utf8')).not.toContain('never');
});

test('tokens end with the process', async () => {
  const tokens: string[] = [];
  await withSandbox(
    { dataFile: path('data') },
    async (sandbox) => void tokens.push(await sandbox.login('admin')),
  );
  await withSandbox({ dataFile: path('data') }, async (sandbox) => {
    expect((await sandbox.send('GET', '/api/integrations', { token: tokens[0] ?? '' })).status).toBe(401);
  });
  expect(await readFile(path('data'), 'utf8')).not.toContain(tokens[0]);
});

test('an integration that is not in the catalog for a while keeps its state', async () => {
  const dataFile = path('data');
  await withSandbox(
    { dataFile },
    async (sandbox) => void (await patchOptions(sandbox, THREAT, { timeout: { value: 99 } })),
  );
  await cp(`${EXAMPLE_CATALOG}/dns-history.json`, path('catalog/dns-history.json'));
  await withSandbox({ dataFile, catalog: path('catalog') }, async (sandbox) => {
    expect(listAt((await sandbox.send('GET', '/api/integrations')).body, 'data')).toHaveLength(1);
  });
  await withSandbox({ dataFile }, async (sandbox) => {
    expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(99);
  });
});

test('an option that a newer version no longer has is passed over', async () => {
  const [dataFile, catalog] = [path('data'), path('catalog')];
  const file = { name: 'A', options: ['old', 'kept'].map((key) => ({ key, type: 'text' })) };
  await cp(`${EXAMPLE_CATALOG}/dns-history.json`, join(catalog, 'a.json'));
  const install = (options: readonly unknown[]) =>
    writeFile(join(catalog, 'a.json'), JSON.stringify({ ...file, options }));
  await install(file.options);
  await withSandbox({ dataFile, catalog, ids: { a: 'a' } }, async (sandbox) => {
    await patchOptions(sandbox, 'a', { old: { value: '1' }, kept: { value: '2' } });
  });
  await install(file.options.slice(1));
  await withSandbox({ dataFile, catalog, ids: { a: 'a' } }, async (sandbox) => {
    expect(listAt((await sandbox.send('GET', '/api/integrations')).body, 'included')).toHaveLength(1);
    expect((await readOption(sandbox, 'a', 'kept'))['value']).toBe('2');
  });
});

test('a second sandbox on the same file is refused, and the first one goes on', async () => {
  await withSandbox({ dataFile: path('data') }, async (sandbox) => {
    await expect(startTestSandbox({ dataFile: path('data') })).rejects.toMatchObject({
      code: 'data-file-in-use',
    });
    expect((await patchOptions(sandbox, THREAT, { timeout: { value: 5 } })).status).toBe(200);
  });
});

test('a sandbox that could not start lets go of the file', async () => {
  await withSandbox({}, async (other) => {
    const port = Number(new URL(other.url).port);
    await expect(startTestSandbox({ dataFile: path('data'), port })).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'address-in-use',
    });
  });
  await withSandbox({ dataFile: path('data') }, async (sandbox) => {
    expect((await sandbox.send('GET', '/api/integrations')).status).toBe(200);
  });
});

test('writes at the same time are all kept, whole', async () => {
  const dataFile = path('data');
  await withSandbox({ dataFile }, async (sandbox) => {
    const writes = Array.from({ length: 60 }, (_, index) =>
      patchOptions(sandbox, THREAT, { timeout: { value: index }, url: { value: `u${index}` } }),
    );
    const answers = (await Promise.all(writes)).map(({ body }) => at(body, 'data', 0, 'attributes', 'value'));
    expect(answers, 'each is told its own value').toEqual(Array.from({ length: 60 }, (_, index) => index));
  });
  await withSandbox({ dataFile }, async (sandbox) => {
    const [timeout, url] = [
      await readOption(sandbox, THREAT, 'timeout'),
      await readOption(sandbox, THREAT, 'url'),
    ];
    expect(url['value']).toBe(`u${timeout['value']}`);
  });
});

test('a change that cannot be written is answered by 503 and does not stay visible', async () => {
  const dataFile = path('folder/data');
  await mkdir(path('folder'));
  await withSandbox({ dataFile }, async (sandbox) => {
    const before = await readOption(sandbox, THREAT, 'timeout');
    await rm(path('folder'), { recursive: true });
    const refused = await fetch(`${sandbox.url}/api/integration-options`, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/vnd.api+json',
        authorization: `Bearer ${await sandbox.login('admin')}`,
      },
      body: JSON.stringify(optionsBody(THREAT, { timeout: { value: 77 } })),
    });
    expect(refused.status).toBe(503);
    expect(sandbox.faults).toMatchObject([{ name: 'UnwritableError', cause: { code: 'ENOENT' } }]);
    expect(await readOption(sandbox, THREAT, 'timeout')).toEqual(before);
  });
});
