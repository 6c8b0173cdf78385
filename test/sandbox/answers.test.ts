import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPEN_POINTS, type SandboxSettings } from '../../src/sandbox/settings.ts';
import { at, listAt, recordAt } from '../support/at.ts';
import { type Reply, type TestSandbox, withSandbox } from '../support/sandbox.ts';
import {
  optionsBody,
  patchAttributes,
  patchOptions,
  readOption,
  THREAT,
} from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const LIST = '/api/integrations?page[size]=1&page[number]=6';
const SINGLE = `/api/integrations/${THREAT}`;
const LINK = `/api/integration-options?filter[integration.id]=${THREAT}`;
const KEYS = 6;

/** The attributes of all options in an answer, wherever they are. */
function optionsIn(json: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof json !== 'object' || json === null) return [];
  const isOption = at(json, 'type') === 'integration-options' && Object.hasOwn(json, 'attributes');
  const own = isOption ? [recordAt(json, 'attributes')] : [];
  return [...own, ...Object.values(json).flatMap(optionsIn)];
}

const having = (reply: Reply, name: string) =>
  optionsIn(reply.body).filter((attributes) => Object.hasOwn(attributes, name)).length;

describe('values', () => {
  test.each([
    ['everywhere', 'included', { options: [6, 6, 6], values: [6, 6, 6] }],
    ['detail', 'included', { options: [6, 6, 6], values: [0, 6, 0] }],
    ['detail', 'inline', { options: [6, 6, 6], values: [0, 6, 0] }],
    ['detail', 'detail', { options: [0, 6, 0], values: [0, 6, 0] }],
  ] as const)(
    '%s, dialect %s: options and values in list, single read and link',
    (values, dialect, expected) =>
      withSandbox({ settings: { values, dialect } }, async (sandbox) => {
        const replies = [];
        for (const path of [LIST, SINGLE, LINK]) replies.push(await sandbox.send('GET', path));
        expect({
          options: replies.map((reply) => optionsIn(reply.body).length),
          values: replies.map((reply) => having(reply, 'value')),
        }).toEqual(expected);
        expect(replies.map((reply) => having(reply, 'admin-only'))).toEqual(expected.options);
      }),
  );
});

describe('unsetValues', () => {
  const values = async (sandbox: TestSandbox) =>
    Object.fromEntries(
      optionsIn((await sandbox.send('GET', SINGLE)).body).flatMap(({ key, value }) =>
        value === undefined ? [] : [[String(key), value]],
      ),
    );
  test('default: every option has a value', () =>
    withSandbox({}, async (sandbox) => expect(Object.keys(await values(sandbox))).toHaveLength(KEYS)));
  test('absent: an option has one once it is set, even to its default, and still after a restart', async () => {
    const wish = {
      settings: { unsetValues: 'absent' },
      dataFile: join(await tempFolder(), 'state'),
    } as const;
    await withSandbox(wish, async (sandbox) => {
      expect(await values(sandbox)).toEqual({});
      await patchOptions(sandbox, THREAT, {
        timeout: { value: 10 },
        apiKey: { value: 'k' },
        url: { 'admin-only': true },
      });
    });
    await withSandbox(wish, async (sandbox) =>
      expect(await values(sandbox)).toEqual({ timeout: 10, apiKey: 'k' }),
    );
  });
  test('absent: a required option counts as filled by its default', () =>
    withSandbox({ settings: { unsetValues: 'absent' }, require: ['url'] }, async (sandbox) =>
      expect((await patchOptions(sandbox, THREAT, { timeout: { value: 1 } })).status).toBe(200),
    ));
});

test.each([
  ['served', KEYS],
  ['absent', 0],
] as const)('flags %s: on read; they are written all the same', (flags, count) =>
  withSandbox({ settings: { flags } }, async (sandbox) => {
    const replies = [await patchOptions(sandbox, THREAT, { url: { 'admin-only': true } })];
    for (const path of [LIST, SINGLE, LINK]) replies.push(await sandbox.send('GET', path));
    const [patched, ...reads] = replies.map((reply) => [
      having(reply, 'admin-only'),
      having(reply, 'user-can-edit'),
    ]);
    expect(reads).toEqual(Array(3).fill([count, count]));
    expect(patched).toEqual(count === 0 ? [0, 0] : [1, 1]);
    const seen = optionsIn((await sandbox.send('GET', SINGLE, { as: 'user' })).body).map(({ key }) => key);
    expect(seen).not.toContain('url');
  }),
);

describe('selects', () => {
  const FAST = { display: 'Fast: what is already known', value: 'fast' };
  const DOMAIN = { display: 'Domains', value: 'domain' };
  const IP = { display: 'IP addresses', value: 'ip' };
  test.each([
    ['objects', [FAST, [IP, DOMAIN]], [200, 422, 200, 422]],
    ['strings', ['fast', ['ip', 'domain']], [200, 200, 200, 200]],
    ['strings-only', ['fast', ['ip', 'domain']], [422, 200, 422, 200]],
  ] as const)(
    '%s: how they are served, and whether objects and strings are taken',
    (selects, served, taken) =>
      withSandbox({ settings: { selects } }, async (sandbox) => {
        const read = async (key: string) => (await readOption(sandbox, THREAT, key))['value'];
        expect([await read('mode'), await read('types')]).toEqual(served);
        const sent = [{ mode: FAST }, { mode: 'thorough' }, { types: [DOMAIN] }, { types: ['ip'] }];
        const replies = [];
        for (const change of sent) {
          const [[key, value] = []] = Object.entries(change);
          replies.push(await patchOptions(sandbox, THREAT, { [String(key)]: { value } }));
        }
        expect(replies.map(({ status }) => status)).toEqual(taken);
        const refused = replies.filter(({ status }) => status === 422).map(({ text }) => text);
        const form =
          selects === 'objects' ? 'object with display and value' : 'not an object with display and value';
        expect(refused.every((text) => text.includes(form))).toBe(true);
      }),
  );
  test('a string becomes the choice that it is the value of, and no other is taken', () =>
    withSandbox({ settings: { selects: 'strings' } }, async (sandbox) => {
      const patched = await patchOptions(sandbox, THREAT, { mode: { value: 'passive' } });
      expect(optionsIn(patched.body)[0]?.['value']).toBe('passive');
      for (const value of ['slow', 5, '', null])
        expect((await patchOptions(sandbox, THREAT, { mode: { value } })).status).toBe(422);
      for (const value of ['ip', ['mail'], ['ip', 5]])
        expect((await patchOptions(sandbox, THREAT, { types: { value } })).status).toBe(422);
      expect((await patchOptions(sandbox, THREAT, { types: { value: [] } })).status).toBe(200);
      expect((await readOption(sandbox, THREAT, 'types'))['value']).toEqual([]);
    }));
});

test.each([
  ['both', 'optional', [200, 200, 200]],
  ['plural', 'optional', [200, 200, 409]],
  ['singular', 'optional', [200, 409, 200]],
  ['both', 'required', [409, 200, 200]],
  ['singular', 'required', [409, 409, 200]],
] as const)(
  'acceptType %s, integrationType %s: a PATCH of an integration without a type, in the plural, in the singular',
  (acceptType, integrationType, expected) =>
    withSandbox({ settings: { acceptType, integrationType } }, async (sandbox) => {
      const statuses = [];
      for (const type of [undefined, 'integrations', 'integration']) {
        const body = { data: { id: THREAT, type, attributes: { autosubscribe: true } } };
        statuses.push((await sandbox.send('PATCH', SINGLE, { body })).status);
      }
      expect(statuses).toEqual(expected);
    }),
);

describe('tokens', () => {
  test.each(OPEN_POINTS.expiredTokenStatus)('expiredTokenStatus %s: expired, logged out, unknown', (status) =>
    withSandbox({ settings: { expiredTokenStatus: status }, tokenLifetime: 60 }, async (sandbox) => {
      const [expired, ended] = [await sandbox.login('admin'), await sandbox.login('admin')];
      await sandbox.send('POST', '/api/users/logout', { token: ended });
      sandbox.pass(60);
      for (const token of [expired, ended, 'unknown']) {
        const reply = await sandbox.send('GET', '/api/integrations', { token });
        expect([reply.status, reply.headers.has('www-authenticate')]).toEqual([
          Number(status),
          status === '401',
        ]);
        expect(reply.text).toContain('expired');
      }
      expect((await sandbox.send('GET', '/api/integrations', { as: 'nobody' })).status).toBe(401);
    }),
  );
  test.each(OPEN_POINTS.missingTokenStatus)(
    'missingTokenStatus %s: no token, or none of a bearer',
    (status) =>
      withSandbox({ settings: { missingTokenStatus: status } }, async (sandbox) => {
        for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
          const reply = await sandbox.send('GET', '/api/integrations', { as: 'nobody', headers });
          expect(reply.status).toBe(Number(status));
        }
        expect((await sandbox.send('GET', '/api/integrations', { token: 'unknown' })).status).toBe(401);
      }),
  );
});

test.each([
  ['api', 'application/vnd.api+json'],
  ['json', 'application/json'],
  ['text', 'text/plain'],
  ['none', null],
] as const)('answerType %s: the Content-Type of every answer', (answerType, type) =>
  withSandbox({ settings: { answerType } }, async (sandbox) => {
    const replies = [
      await sandbox.send('GET', '/api/integrations'),
      await patchAttributes(sandbox, THREAT, { autosubscribe: true }),
      await sandbox.send('GET', '/api/integrations', { as: 'nobody' }),
      await sandbox.send('GET', '/api/nothing'),
      await sandbox.send('POST', '/api/integrations'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405]);
    expect(replies.map(({ headers }) => headers.get('content-type'))).toEqual(Array(5).fill(type));
    expect(at(replies[1]?.body, 'data', 'attributes', 'autosubscribe')).toBe(true);
  }),
);

describe('accept', () => {
  test.each([
    ['any', 'application/vnd.api+json', 200],
    ['any', 'text/html', 200],
    ['json', 'application/json', 200],
    ['json', '*/*', 200],
    ['json', 'application/*;q=0.1', 200],
    ['json', 'application/vnd.api+json, application/json', 200],
    ['json', 'application/vnd.api+json,application/json;q=0.9', 200],
    ['json', 'application/vnd.api+json', 406],
    ['json', 'text/html', 406],
    ['json', 'application/json5', 406],
  ] as const)('%s: Accept: %s is %i', (accept, header, status) =>
    withSandbox({ settings: { accept } }, async (sandbox) => {
      const token = await sandbox.login('admin');
      const reply = await sandbox.send('GET', '/api/integrations', { token, headers: { accept: header } });
      expect(reply.status).toBe(status);
    }),
  );
});

test.each([
  ['served', { number: 2, size: 3, total: 8 }],
  ['absent', { number: 2, size: 3 }],
] as const)('pageTotal %s', (pageTotal, page) =>
  withSandbox({ settings: { pageTotal } }, async (sandbox) => {
    const { body } = await sandbox.send('GET', '/api/integrations?page[size]=3&page[number]=2');
    expect(at(body, 'meta', 'page')).toEqual(page);
  }),
);

describe('optionPages', () => {
  const page = async (sandbox: TestSandbox, query: string) => {
    const reply = await sandbox.send('GET', `${LINK}${query}`);
    const keys = listAt(reply.body, 'data').map((each) => at(each, 'attributes', 'key'));
    return { status: reply.status, keys, meta: at(reply.body, 'meta') };
  };
  const keys = ['apiKey', 'url', 'timeout', 'verifyTls', 'mode', 'types'];
  test('whole: all at once, and no page to ask for', () =>
    withSandbox({}, async (sandbox) => {
      expect(await page(sandbox, '')).toEqual({ status: 200, keys, meta: undefined });
      expect((await page(sandbox, '&page[size]=4')).status).toBe(400);
    }));
  test.each([
    ['', { number: 1, size: 5, total: 6 }, keys.slice(0, 5)],
    ['&page[number]=2', { number: 2, size: 5, total: 6 }, ['types']],
    ['&page[size]=4&page[number]=1', { number: 1, size: 4, total: 6 }, keys.slice(0, 4)],
    ['&page[size]=4&page[number]=2', { number: 2, size: 4, total: 6 }, keys.slice(4)],
    ['&page[size]=4&page[number]=3', { number: 3, size: 4, total: 6 }, []],
    ['&page[size]=100', { number: 1, size: 5, total: 6 }, keys.slice(0, 5)],
  ])('numbered: %s', (query, meta, expected) =>
    withSandbox({ settings: { optionPages: 'numbered', maxPageSize: 5 } }, async (sandbox) =>
      expect(await page(sandbox, query)).toEqual({ status: 200, keys: expected, meta: { page: meta } }),
    ),
  );
  test('numbered: without a total where no page has one, from 0 where the first is 0', () =>
    withSandbox(
      { settings: { optionPages: 'numbered', pageTotal: 'absent', firstPage: '0' } },
      async (sandbox) =>
        expect(await page(sandbox, '&page[size]=4&page[number]=1')).toEqual({
          status: 200,
          keys: keys.slice(4),
          meta: { page: { number: 1, size: 4 } },
        }),
    ));
});

describe('refuseEvery', () => {
  test.each([
    [0, 'absent', [200, 200, 200, 200, 200], null],
    [3, '0', [200, 429, 200, 200, 429], '0'],
    [2, '1', [429, 200, 429, 200, 429], '1'],
    [4, 'absent', [200, 200, 429, 200, 200], null],
  ] as const)(
    '%i, retryAfter %s: which requests after the login are refused',
    (refuseEvery, retryAfter, expected, header) =>
      withSandbox({ settings: { refuseEvery, retryAfter } }, async (sandbox) => {
        const replies: Reply[] = [];
        for (const path of [LIST, SINGLE, LINK, LIST, SINGLE]) replies.push(await sandbox.send('GET', path));
        expect(replies.map(({ status }) => status)).toEqual(expected);
        for (const reply of replies)
          expect(reply.headers.get('retry-after')).toBe(reply.status === 429 ? header : null);
      }),
  );
  test('a PATCH that is refused changes nothing', () =>
    withSandbox({ settings: { refuseEvery: 2 } }, async (sandbox) => {
      expect((await patchOptions(sandbox, THREAT, { timeout: { value: 3 } })).status).toBe(429);
      expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(10);
    }));
});

describe('errorBody', () => {
  const why = 'timeout must be a number';
  const bodies: readonly (readonly [SandboxSettings['errorBody'], unknown, string])[] = [
    [
      'errors',
      expect.objectContaining({ errors: [expect.objectContaining({ detail: why })] }),
      'application/vnd.api+json',
    ],
    ['error', { error: { message: why } }, 'application/vnd.api+json'],
    ['message', { message: why }, 'application/vnd.api+json'],
    ['text', why, 'text/plain'],
    ['empty', undefined, 'application/vnd.api+json'],
  ];
  test.each(bodies)('%s: the body of a refusal', (errorBody, body, type) =>
    withSandbox({ settings: { errorBody } }, async (sandbox) => {
      const reply = await patchOptions(sandbox, THREAT, { timeout: { value: 'x' } });
      expect([reply.status, reply.body, reply.headers.get('content-type')]).toEqual([422, body, type]);
      expect((await patchOptions(sandbox, THREAT, { timeout: { value: 4 } })).status).toBe(200);
    }),
  );
  test.each(bodies)('%s: of 400, 401, 404 and 405 as well', (errorBody) =>
    withSandbox({ settings: { errorBody } }, async (sandbox) => {
      const replies = [
        await sandbox.send('PATCH', '/api/integration-options', { body: optionsBody(THREAT, {}) }),
        await sandbox.send('GET', '/api/integrations', { as: 'nobody' }),
        await sandbox.send('GET', '/api/nothing'),
        await sandbox.send('POST', '/api/integrations'),
      ];
      expect(replies.map(({ status }) => status)).toEqual([400, 401, 404, 405]);
      const forms = {
        errors: (reply: Reply) => listAt(reply.body, 'errors').length === 1,
        error: (reply: Reply) => typeof at(reply.body, 'error', 'message') === 'string',
        message: (reply: Reply) => typeof at(reply.body, 'message') === 'string',
        text: (reply: Reply) => typeof reply.body === 'string' && reply.body !== '',
        empty: (reply: Reply) => reply.text === '',
      };
      expect(replies.map(forms[errorBody])).toEqual([true, true, true, true]);
    }),
  );
  test('text with a media type for all answers has that type', () =>
    withSandbox({ settings: { errorBody: 'text', answerType: 'json' } }, async (sandbox) => {
      const reply = await sandbox.send('GET', '/api/nothing');
      expect([reply.body, reply.headers.get('content-type')]).toEqual([
        'No such address.',
        'application/json',
      ]);
    }));
});
