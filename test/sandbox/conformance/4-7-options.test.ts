import { describe, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { useSandbox } from '../../support/sandbox.ts';
import {
  ASSETS,
  LOGS,
  optionsBody,
  patchOptions,
  problemsOf,
  readOption,
  THREAT,
  TICKETS,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ stopped: ['log_*'] });
const patch = (body: unknown) =>
  sandbox().send('PATCH', '/api/integration-options', { body });
const read = (key: string, id = THREAT) => readOption(sandbox(), id, key);
const set = (key: string, attributes: unknown, id = THREAT) =>
  patchOptions(sandbox(), id, { [key]: attributes });
const IP = { display: 'IP addresses', value: 'ip' };
const THOROUGH = { display: 'Thorough: ask all engines', value: 'thorough' };
const URLS = { display: 'URLs', value: 'url' };
const VALUE = ['/data/0/attributes/value'];
const REFUSED = { status: 422, pointers: VALUE };
const PAIR = ['/data/0/attributes/admin-only'];
const NOWHERE = [undefined];

describe('4.7 what is changed', () => {
  test('4.7 the answer holds what was changed, and all else stays as it is', async () => {
    const others = async () => [
      await read('types'),
      await read('port', ASSETS),
    ];
    const before = { timeout: await read('timeout'), others: await others() };
    const changes = {
      url: { value: 'https://a.example.com' },
      timeout: { value: 3 },
    };
    const reply = await patchOptions(sandbox(), THREAT, changes);
    const changed = listAt(reply.body, 'data').map((each) => [
      at(each, 'id'),
      at(each, 'attributes'),
    ]);
    expect(changed).toEqual([
      [`${THREAT}-url`, await read('url')],
      [`${THREAT}-timeout`, { ...before.timeout, value: 3 }],
    ]);
    expect(await read('timeout')).toEqual({ ...before.timeout, value: 3 });
    expect(await others()).toEqual(before.others);
    expect((await patchOptions(sandbox(), THREAT, changes)).body).toEqual(
      reply.body,
    );
  });
  test('4.7 the value stays if only flags come', async () => {
    await set('apiKey', { value: 'kept' });
    await set('apiKey', { 'admin-only': false, 'user-can-edit': true });
    expect(await read('apiKey')).toMatchObject({
      value: 'kept',
      'admin-only': false,
      'user-can-edit': true,
    });
  });
});

describe('4.7 values by type', () => {
  test.each([
    ['url', 'text', 'with {{ENTITY}} and\nlines ä€😀'],
    ['timeout', 'number', 2.5],
    ['verifyTls', 'boolean', false],
    ['verifyTls', 'boolean as text', 'true', true],
    ['mode', 'choice', THOROUGH],
    ['types', 'choices', [URLS, IP]],
  ])('4.7 %s takes a %s', async (key, _, value, stored: unknown = value) => {
    expect((await set(key, { value })).status).toBe(200);
    expect(await read(key)).toMatchObject({ value: stored });
  });
  test('4.7 a select without choices of its own takes any', async () => {
    const value = { display: 'Incidents', value: 'queue-17' };
    expect((await set('defaultQueue', { value }, TICKETS)).status).toBe(200);
    expect(await read('defaultQueue', TICKETS)).toMatchObject({ value });
  });
  test.each([
    ['timeout', 'boolean for a number', true],
    ['verifyTls', 'word for a boolean', 'yes'],
    ['url', 'null', null],
    ['types', 'single choice for a multi-select', IP],
  ])('4.7 %s refuses a %s', async (key, _, value) => {
    const before = await read(key);
    expect(problemsOf(await set(key, { value }))).toEqual(REFUSED);
    expect(await read(key)).toEqual(before);
  });
  test('4.7 no problem repeats a value', async () => {
    const { text } = await set('timeout', { value: 'hunter2-secret' });
    expect(text).not.toContain('hunter2');
  });
});

describe('4.7 what is refused, changes nothing', () => {
  const itemsOf = (id: string, options: object) =>
    optionsBody(id, options as Parameters<typeof optionsBody>[1]).data;
  const [item] = itemsOf(THREAT, { timeout: { value: 77 } });
  const [port] = itemsOf(ASSETS, { port: { value: 78 } });
  const [bad] = itemsOf(THREAT, { verifyTls: { value: 'x' } });
  const [unknown] = itemsOf(THREAT, { apikey: { value: 'x' } });
  const both = { 'admin-only': true, 'user-can-edit': true };
  const pair = itemsOf(THREAT, { timeout: both });
  const kept = itemsOf(THREAT, { types: { 'admin-only': true } });
  const stopped = itemsOf(LOGS, { minTime: { value: 1 } });
  test.each([
    ['several integrations', [item, port], 404, NOWHERE],
    ['one bad value of several', [bad, item], 422, VALUE],
    ['the invalid pair', pair, 422, PAIR],
    ['the invalid pair together with a flag that is kept', kept, 422, PAIR],
    ['an integration that is not running', stopped, 422, NOWHERE],
    ['an unknown option', [item, unknown], 404, NOWHERE],
  ])('4.7 %s', async (_, data, status, pointers) => {
    await set('types', { 'admin-only': false, 'user-can-edit': true });
    const held = async () => [
      await read('timeout'),
      await read('types'),
      await read('port', ASSETS),
    ];
    const before = await held();
    expect(problemsOf(await patch({ data }))).toEqual({ status, pointers });
    expect(await held()).toEqual(before);
  });
});
