import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { withBody } from '../support/faults.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { filesIn } from '../support/pulled.ts';
import { addressesOf, changesOf, codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';

/** Numbers that JSON.parse rounds, and one that it keeps. */
const LONG = [
  '12345678901234567891',
  '9007199254740993',
  '-9007199254740993',
  '1234567.8901234567891',
  '1.2345678901234567891e5',
];
const KEPT = '9007199254740991';
const ALL = [...LONG, KEPT];

/** A server that sends a number of `ALL` for what is stored as `7000` and its place, be that a text or a number. */
async function serverOf(yaml: string, ...options: object[]) {
  const { sandbox, cwd } = await ownCatalog(
    { vt: configuration(...options) },
    yaml,
  );
  const asNumbers = withBody((body) =>
    body.replace(/"value":"?7000(\d)"?/g, (_, at) => `"value": ${ALL[at]}`),
  );
  const proxy = await faultyProxy(sandbox.url, ({ method }) =>
    method === 'GET' ? asNumbers : undefined,
  );
  const command = (...args: string[]) =>
    run([...args, '--url', proxy.url, '--report', 'json'], { cwd, env: ADMIN });
  return { cwd, command, sandbox };
}

const optionsOf = (count: number, type: string) =>
  ALL.slice(0, count).map((_, at) => {
    const stored = type === 'number' ? 70_000 + at : `${70_000 + at}`;
    return option(`${type}${at}`, type, stored);
  });

test('long numbers are compared digit by digit, and shown so', async () => {
  const asked = ALL.map((value, at) => `text${at}: "${value}"`);
  const yaml = `vt: { options: { ${asked.join(', ')}, number0: 5 } }`;
  const { command } = await serverOf(
    yaml,
    ...optionsOf(ALL.length, 'text'),
    ...optionsOf(1, 'number'),
  );
  const planned = await command('plan', '-f', 'a.yaml');
  expect(
    changesOf(planned).map(({ before, after }) => [before, after]),
  ).toEqual([[LONG[0], 5]]);
});

test('a pull and a snapshot have long numbers as they are, or leave them out', async () => {
  const { command, cwd } = await serverOf(
    'vt: { options: {} }',
    ...optionsOf(LONG.length, 'text'),
    ...optionsOf(ALL.length, 'number'),
  );
  expect((await command('pull', '--out', 'conf')).code).toBe(0);
  const [text = ''] = [...filesIn(cwd)].flatMap(([path, content]) =>
    /conf\/(integrations|servers)\//.test(path) ? [content] : [],
  );
  for (const [at, value] of LONG.entries())
    expect(text).toMatch(new RegExp(`text${at}:.*"${value}"`));
  // The decimals are numbers that YAML keeps.
  const written = [...text.matchAll(/(number\d): \{ value: (\S+),/g)];
  expect(written.map(([, key, value]) => [key, value])).toEqual([
    ['number5', KEPT],
  ]);
  const snapshot = ['snapshot', '--out', 's.json'];
  expect((await command(...snapshot)).code).toBe(0);
  for (const files of [['--live', 's.json'], []]) {
    const args = ['plan', '-f', 'conf/integrations', ...files, '--exit-code'];
    const planned =
      files.length > 0
        ? await run([...args, '--report', 'json'], { cwd, env: ADMIN })
        : await command(...args);
    expect([planned.code, codesOf(planned)]).toEqual([0, []]);
  }
});

test('an undo writes a long number back as it was, or leaves it alone', async () => {
  const [value = ''] = LONG;
  const { command, cwd, sandbox } = await serverOf(
    'vt: { options: { text0: new, number0: 5 } }',
    ...optionsOf(1, 'text'),
    ...optionsOf(1, 'number'),
  );
  const applied = await command('apply', '-f', 'a.yaml', '--yes');
  expect(applied.code).toBe(0);
  await writeFile(join(cwd, 'applied.json'), applied.stdout);
  sandbox.exchanges.length = 0;
  const undone = await command('undo', 'applied.json', '--yes');
  expect(undone.code).toBe(5);
  expect(codesOf(undone).sort()).toEqual(['not-attempted', 'still-declared']);
  const sent = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
  expect(JSON.stringify(sent.map(({ body }) => body))).toContain(`"${value}"`);
  expect(addressesOf(undone)).toEqual(['vt.options.text0.value']);
});

test('drift to a long number is accepted as it is, or left to a person', async () => {
  const [value = ''] = LONG;
  const { command, cwd } = await serverOf(
    'vt: { options: { text0: old, number0: 5 } }',
    ...optionsOf(1, 'text'),
    ...optionsOf(1, 'number'),
  );
  await command('accept', '-f', 'a.yaml', '--all', '--yes');
  const text = filesIn(cwd).get('a.yaml') ?? '';
  expect(text).toContain(`text0: "${value}"`);
  expect(text).toContain('number0: 5');
});
