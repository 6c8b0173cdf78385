import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import { program } from '../support/program.ts';
import {
  exchange,
  logIn,
  startTestSandbox,
  withSandbox,
} from '../support/sandbox.ts';
import {
  optionsBody,
  patchAttributes,
  patchOptions,
  readOption,
  THREAT,
} from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

test('values, flags, attributes and errors survive a restart; tokens do not', async () => {
  const folder = await tempFolder();
  const dataFile = join(folder, 'data');
  const path = `/api/integrations/${THREAT}`;
  const before: unknown[] = [];
  const tokens: string[] = [];
  await withSandbox({ dataFile, raiseErrors: true }, async (sandbox) => {
    const apiKey = { value: 'k', 'admin-only': false };
    await patchOptions(sandbox, THREAT, { timeout: { value: 99 }, apiKey });
    await patchAttributes(sandbox, THREAT, { autosubscribe: true });
    before.push((await sandbox.send('GET', path)).body);
    tokens.push(await sandbox.login('admin'));
  });
  await withSandbox({ dataFile }, async (sandbox) => {
    const { body } = await sandbox.send('GET', path);
    expect(body).toEqual(before[0]);
    expect(at(body, 'data', 'attributes', 'autosubscribe')).toBe(true);
    expect(
      (await sandbox.send('GET', path, { token: tokens[0] ?? '' })).status,
    ).toBe(401);
  });
  expect(await readdir(folder)).toEqual(['data']);
});

test('an upgrade gives another id, with the settings of the one before', async () => {
  const dataFile = join(await tempFolder(), 'data');
  await withSandbox({ dataFile }, async (sandbox) => {
    await patchOptions(sandbox, THREAT, { timeout: { value: 99 } });
  });
  const upgraded = ['threat-lookup'];
  await withSandbox({ dataFile, upgraded }, async (sandbox) => {
    const { body } = await sandbox.send('GET', '/api/integrations');
    const ids = listAt(body, 'data').map((each) => String(at(each, 'id')));
    const [id = ''] = ids.filter((each) => each.startsWith('threat_lookup_'));
    expect(id).toMatch(/^threat_lookup_2_0_0_node_20_\d{10}$/);
    expect(await readOption(sandbox, id, 'timeout')).toMatchObject({
      value: 99,
    });
  });
});

test.each(['', '[]', '{"version":3,"integrations":{}}'])(
  'a file with %j is refused and left as it is',
  async (text) => {
    const dataFile = join(await tempFolder({ data: text }), 'data');
    await expect(startTestSandbox({ dataFile })).rejects.toMatchObject({
      name: 'SandboxError',
    });
    expect(await readFile(dataFile, 'utf8')).toBe(text);
  },
);

test('a change that cannot be written is answered by 500 and is not visible', async () => {
  const folder = await tempFolder();
  await withSandbox({ dataFile: join(folder, 'data') }, async (sandbox) => {
    const before = await readOption(sandbox, THREAT, 'timeout');
    await rm(folder, { recursive: true });
    const body = optionsBody(THREAT, { timeout: { value: 77 } });
    const refused = await sandbox.send('PATCH', '/api/integration-options', {
      body,
      isFree: true,
    });
    expect(refused.status).toBe(500);
    expect(sandbox.faults).toMatchObject([{ code: 'ENOENT' }]);
    expect(await readOption(sandbox, THREAT, 'timeout')).toEqual(before);
  });
});

test('what was acknowledged survives a kill while more is written', async () => {
  const cwd = await tempFolder();
  const child = program(['sandbox', '--port', '0', '--data', 'data'], { cwd });
  await child.says('listens on');
  const [url = ''] = /http:\S+/.exec(child.stdout()) ?? [];
  const token = await logIn(url, 'admin');
  const write = (count: number) => {
    const body = optionsBody(THREAT, {
      url: { value: `n${count}` },
      timeout: { value: count },
    });
    return exchange(url, 'PATCH', '/api/integration-options', { token, body });
  };
  for (const count of [1, 2, 3, 4, 5, 6, 7])
    expect((await write(count)).status).toBe(200);
  // One more is under way.
  const lost = write(8).catch(() => undefined);
  child.process.kill('SIGKILL');
  await Promise.all([lost, child.ended]);
  await withSandbox({ dataFile: join(cwd, 'data') }, async (sandbox) => {
    const number = Number(
      (await readOption(sandbox, THREAT, 'timeout'))['value'],
    );
    expect([7, 8]).toContain(number);
    expect((await readOption(sandbox, THREAT, 'url'))['value']).toBe(
      `n${number}`,
    );
  });
});
