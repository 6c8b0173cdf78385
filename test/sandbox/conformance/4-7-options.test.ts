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
  VAULT,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ stopped: ['log_*'] });
const patch = (body: unknown) => sandbox().send('PATCH', '/api/integration-options', { body });
const read = (key: string, id = THREAT) => readOption(sandbox(), id, key);
const set = (key: string, attributes: unknown, id = THREAT) =>
  patchOptions(sandbox(), id, { [key]: attributes });
const IP = { display: 'IP addresses', value: 'ip' };
const URLS = { display: 'URLs', value: 'url' };

describe('4.7 what is changed', () => {
  test('4.7 a value', async () => {
    expect((await set('url', { value: 'https://other.example.com' })).status).toBe(200);
    expect(await read('url')).toMatchObject({ value: 'https://other.example.com' });
  });
  test('4.7 the answer holds what was changed', async () => {
    const reply = await patchOptions(sandbox(), THREAT, {
      url: { value: 'https://a.example.com' },
      timeout: { value: 3 },
    });
    expect(
      listAt(reply.body, 'data').map((option) => [at(option, 'id'), at(option, 'attributes', 'value')]),
    ).toEqual([
      [`${THREAT}-url`, 'https://a.example.com'],
      [`${THREAT}-timeout`, 3],
    ]);
  });
  test('4.7 flags that are left out stay as they are', async () => {
    const before = await read('timeout');
    await set('timeout', { value: 21 });
    expect(await read('timeout')).toEqual({ ...before, value: 21 });
  });
  test('4.7 the value stays where only flags come', async () => {
    await set('apiKey', { value: 'kept' });
    await set('apiKey', { 'admin-only': false, 'user-can-edit': true });
    expect(await read('apiKey')).toMatchObject({ value: 'kept', 'admin-only': false, 'user-can-edit': true });
  });
  test('4.7 other options and integrations stay as they are', async () => {
    const others = async () => [await read('types'), await read('port', ASSETS)];
    const before = await others();
    await set('url', { value: 'https://b.example.com' });
    expect(await others()).toEqual(before);
  });
  test('4.7 the singular type of one request shape', async () =>
    expect((await patch(optionsBody(THREAT, { timeout: { value: 8 } }, 'integration-option'))).status).toBe(
      200,
    ));
  test('4.7 the same request twice is the same as once', async () => {
    const [first, second] = [await set('timeout', { value: 9 }), await set('timeout', { value: 9 })];
    expect(second.body).toEqual(first.body);
  });
});

describe('4.7 values by type', () => {
  test.each([
    ['url', 'text', 'with {{ENTITY}} and\nlines ä€😀', 'with {{ENTITY}} and\nlines ä€😀'],
    ['url', 'empty text', '', ''],
    [
      'apiKey',
      'password',
      '-----BEGIN KEY-----\nabc\n-----END KEY-----\n',
      '-----BEGIN KEY-----\nabc\n-----END KEY-----\n',
    ],
    ['timeout', 'number', 2.5, 2.5],
    ['timeout', 'number as text', '42', 42],
    ['verifyTls', 'boolean', false, false],
    ['verifyTls', 'boolean as text', 'true', true],
    [
      'mode',
      'choice',
      { display: 'Thorough: ask all engines', value: 'thorough' },
      { display: 'Thorough: ask all engines', value: 'thorough' },
    ],
    ['types', 'choices', [URLS, IP], [URLS, IP]],
    ['types', 'no choice', [], []],
  ])('4.7 %s takes a %s', async (key, _, value, stored) => {
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
    ['timeout', 'empty text for a number', ''],
    ['verifyTls', 'number for a boolean', 1],
    ['verifyTls', 'word for a boolean', 'yes'],
    ['url', 'boolean for a text', true],
    ['url', 'null', null],
    ['apiKey', 'list for a password', ['x']],
    ['mode', 'value alone for a select', 'fast'],
    ['mode', 'choice that is not offered', { display: 'Slow', value: 'slow' }],
    ['mode', 'list for a single select', [{ display: 'Fast', value: 'fast' }]],
    ['types', 'single choice for a multi-select', IP],
    ['types', 'choice that is not offered, in a list', [IP, { display: 'Other', value: 'other' }]],
  ])('4.7 %s refuses a %s', async (key, _, value) => {
    const before = await read(key);
    expect(problemsOf(await set(key, { value }))).toEqual({
      status: 422,
      pointers: ['/data/0/attributes/value'],
    });
    expect(await read(key)).toEqual(before);
  });
});

describe('4.7 what is refused', () => {
  test('4.7 several integrations are refused', async () => {
    const body = {
      data: [
        ...optionsBody(THREAT, { timeout: { value: 77 } }).data,
        ...optionsBody(ASSETS, { port: { value: 78 } }).data,
      ],
    };
    const before = [await read('timeout'), await read('port', ASSETS)];
    expect((await patch(body)).status).toBe(422);
    expect([await read('timeout'), await read('port', ASSETS)]).toEqual(before);
  });
  test('4.7 one bad value of several changes nothing', async () => {
    const before = [await read('url'), await read('timeout')];
    const reply = await patchOptions(sandbox(), THREAT, {
      url: { value: 'https://c.example.com' },
      timeout: { value: 'x' },
    });
    expect(problemsOf(reply)).toEqual({ status: 422, pointers: ['/data/1/attributes/value'] });
    expect([await read('url'), await read('timeout')]).toEqual(before);
  });
  test('4.7 no problem repeats the value', async () =>
    expect((await set('timeout', { value: 'hunter2-secret' })).text).not.toContain('hunter2'));
  test('4.7 the invalid pair', async () =>
    expect(problemsOf(await set('apiKey', { 'admin-only': true, 'user-can-edit': true }))).toEqual({
      status: 422,
      pointers: ['/data/0/attributes/admin-only'],
    }));
  test('4.7 the invalid pair together with a flag that is kept', async () => {
    await set('types', { 'admin-only': false, 'user-can-edit': true });
    expect((await set('types', { 'admin-only': true })).status).toBe(422);
    expect(await read('types')).toMatchObject({ 'admin-only': false, 'user-can-edit': true });
  });
  test('4.7 a value may change where the file has the invalid pair, which is kept', async () => {
    expect((await set('url', { value: 'https://vault2.example.com' }, VAULT)).status).toBe(200);
    expect(await read('url', VAULT)).toMatchObject({ 'admin-only': true, 'user-can-edit': true });
  });
  test('4.7 an integration that is not running', async () => {
    const reply = await set('maxConcurrent', { value: 1 }, LOGS);
    expect([reply.status, at(reply.body, 'errors', 0)]).toEqual([
      422,
      { status: '422', title: 'Unprocessable Entity', detail: 'Integration is not running' },
    ]);
  });
  test('4.7 an unknown option is 404', async () => {
    const reply = await patchOptions(sandbox(), THREAT, {
      nope: { value: 1 },
      timeout: { value: 1 },
      apikey: { value: 'x' },
    });
    expect(problemsOf(reply)).toEqual({ status: 404, pointers: ['/data'] });
  });
  const item = { id: `${THREAT}-timeout`, type: 'integration-options', attributes: { value: 1 } };
  test.each([
    ['no JSON', 'data', ['']],
    ['a list', [item], ['/data']],
    ['no data', {}, ['/data']],
    ['one option without a list', { data: item }, ['/data']],
    ['an empty list', { data: [] }, ['/data']],
    ['an option without id', { data: [{ ...item, id: undefined }] }, ['/data/0']],
    ['an option without type', { data: [{ ...item, type: undefined }] }, ['/data/0']],
    ['another type', { data: [{ ...item, type: 'integrations' }] }, ['/data/0']],
    ['an option without attributes', { data: [{ ...item, attributes: undefined }] }, ['/data/0']],
    ['an option twice', { data: [item, item] }, ['/data']],
  ])('4.7 a body of %s is 400', async (_, body, pointers) =>
    expect(problemsOf(await patch(body))).toEqual({ status: 400, pointers }),
  );
  test.each(['timeout', 'url'])('4.7 %s refuses a number that is too great', async (key) => {
    const body = JSON.stringify(optionsBody(THREAT, { [key]: { value: 0 } })).replace(
      '"value":0',
      '"value":1e999',
    );
    expect(problemsOf(await patch(body))).toEqual({ status: 422, pointers: ['/data/0/attributes/value'] });
  });
  test('4.7 another media type is 415', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = optionsBody(THREAT, { timeout: { value: 1 } });
    expect((await sandbox().send('PATCH', '/api/integration-options', { body, headers })).status).toBe(415);
  });
});
