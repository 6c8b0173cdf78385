import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at } from '../support/at.ts';
import { startTestSandbox, withSandbox } from '../support/sandbox.ts';
import { patchAttributes, patchOptions, readOption, THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

test('values, flags, attributes and errors survive a restart; tokens do not', async () => {
  const folder = await tempFolder();
  const dataFile = join(folder, 'data');
  const path = `/api/integrations/${THREAT}`;
  const before: unknown[] = [];
  const tokens: string[] = [];
  await withSandbox({ dataFile, raiseErrors: true }, async (sandbox) => {
    await patchOptions(sandbox, THREAT, {
      timeout: { value: 99 },
      apiKey: { value: 'k', 'admin-only': false },
    });
    await patchAttributes(sandbox, THREAT, { autosubscribe: true });
    before.push((await sandbox.send('GET', path)).body);
    tokens.push(await sandbox.login('admin'));
  });
  await withSandbox({ dataFile }, async (sandbox) => {
    const { body } = await sandbox.send('GET', path);
    expect(body).toEqual(before[0]);
    expect(at(body, 'data', 'attributes', 'autosubscribe')).toBe(true);
    expect((await sandbox.send('GET', path, { token: tokens[0] ?? '' })).status).toBe(401);
  });
  expect(await readdir(folder)).toEqual(['data']);
});

test.each(['', '{', '[]', '{"version":3,"integrations":{}}'])(
  'a file with %j is refused and left as it is',
  async (text) => {
    const dataFile = join(await tempFolder({ data: text }), 'data');
    await expect(startTestSandbox({ dataFile })).rejects.toMatchObject({ name: 'SandboxError' });
    expect(await readFile(dataFile, 'utf8')).toBe(text);
  },
);

test('writes at the same time are all kept, whole', async () => {
  const dataFile = join(await tempFolder(), 'data');
  await withSandbox({ dataFile }, async (sandbox) => {
    const writes = Array.from({ length: 40 }, (_, index) =>
      patchOptions(sandbox, THREAT, { timeout: { value: index }, url: { value: `u${index}` } }),
    );
    const answers = (await Promise.all(writes)).map(({ body }) => at(body, 'data', 0, 'attributes', 'value'));
    expect(answers, 'each is told its own value').toEqual(Array.from({ length: 40 }, (_, index) => index));
  });
  await withSandbox({ dataFile }, async (sandbox) => {
    const timeout = (await readOption(sandbox, THREAT, 'timeout'))['value'];
    expect((await readOption(sandbox, THREAT, 'url'))['value']).toBe(`u${timeout}`);
  });
});

test('a change that cannot be written is answered by 500 and is not visible', async () => {
  const folder = await tempFolder();
  await withSandbox({ dataFile: join(folder, 'data') }, async (sandbox) => {
    const before = await readOption(sandbox, THREAT, 'timeout');
    await rm(folder, { recursive: true });
    const body = {
      data: [{ id: `${THREAT}-timeout`, type: 'integration-options', attributes: { value: 77 } }],
    };
    const refused = await sandbox.send('PATCH', '/api/integration-options', { body, isFree: true });
    expect(refused.status).toBe(500);
    expect(sandbox.faults).toMatchObject([{ code: 'ENOENT' }]);
    expect(await readOption(sandbox, THREAT, 'timeout')).toEqual(before);
  });
});
