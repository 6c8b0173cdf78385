import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, OPEN_POINTS } from '../../src/sandbox/settings.ts';
import { at, listAt, recordAt } from '../support/at.ts';
import { START, type TestSandbox, withSandbox } from '../support/sandbox.ts';
import {
  ASSETS,
  optionsBody,
  patchAttributes,
  patchOptions,
  problemsOf,
  readOption,
  THREAT,
} from '../support/sandbox-requests.ts';

const single = (sandbox: TestSandbox) => sandbox.send('GET', `/api/integrations/${THREAT}`);
const list = (sandbox: TestSandbox) => sandbox.send('GET', '/api/integrations?page[size]=1&page[number]=6');
const linked = (sandbox: TestSandbox) =>
  sandbox.send('GET', `/api/integration-options?filter[integration.id]=${THREAT}`);
const withValue = (resources: readonly unknown[]) =>
  resources.filter((each) => Object.hasOwn(recordAt(each, 'attributes'), 'value')).length;
const items = (resource: unknown) => listAt(resource, 'relationships', 'integration-options', 'data');

describe('dialect', () => {
  test.each([
    ['included', { listIncluded: 6, listInline: 0, singleIncluded: 6, singleInline: 0, linked: 6 }],
    ['inline', { listIncluded: 0, listInline: 6, singleIncluded: 0, singleInline: 6, linked: 6 }],
    ['detail', { listIncluded: 0, listInline: 0, singleIncluded: 6, singleInline: 0, linked: 0 }],
    ['options', { listIncluded: 0, listInline: 0, singleIncluded: 0, singleInline: 0, linked: 6 }],
  ] as const)('%s: where the options have values', (dialect, expected) =>
    withSandbox({ settings: { dialect } }, async (sandbox) => {
      const [page, one, byLink] = [await list(sandbox), await single(sandbox), await linked(sandbox)];
      expect({
        listIncluded: withValue(listAt(page.body, 'included')),
        listInline: withValue(items(at(page.body, 'data', 0))),
        singleIncluded: withValue(listAt(one.body, 'included')),
        singleInline: withValue(items(at(one.body, 'data'))),
        linked: withValue(listAt(byLink.body, 'data')),
      }).toEqual(expected);
      expect([
        items(at(page.body, 'data', 0)).length,
        items(at(one.body, 'data')).length,
        listAt(byLink.body, 'data').length,
      ]).toEqual([6, 6, 6]);
    }),
  );
});

describe('passwords', () => {
  test.each([
    ['clear', 'hunter2', ''],
    ['masked', '********', ''],
    ['null', null, null],
    ['absent', undefined, undefined],
    ['empty', '', ''],
  ] as const)('%s: how a password reads, set and not set', (passwords, whenSet, whenEmpty) =>
    withSandbox({ settings: { passwords } }, async (sandbox) => {
      expect((await readOption(sandbox, THREAT, 'apiKey'))['value']).toBe(whenEmpty);
      const changed = await patchOptions(sandbox, THREAT, {
        apiKey: { value: 'hunter2' },
        url: { value: 'https://x.example.com' },
      });
      expect((await readOption(sandbox, THREAT, 'apiKey'))['value']).toBe(whenSet);
      expect(at(changed.body, 'data', 0, 'attributes', 'value')).toBe(whenSet);
      expect((await readOption(sandbox, THREAT, 'url'))['value']).toBe('https://x.example.com');
      if (passwords !== 'clear') {
        const everything = [changed, await single(sandbox), await list(sandbox), await linked(sandbox)].map(
          ({ text }) => text,
        );
        expect(everything.join('')).not.toContain('hunter2');
      }
    }),
  );
});

describe('store', () => {
  test.each([
    ['typed', 10, true, 4],
    ['strings', '10', 'true', '4'],
  ] as const)('%s: numbers and booleans', (store, timeout, verifyTls, changed) =>
    withSandbox({ settings: { store } }, async (sandbox) => {
      expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(timeout);
      expect((await readOption(sandbox, THREAT, 'verifyTls'))['value']).toBe(verifyTls);
      await patchOptions(sandbox, THREAT, { timeout: { value: 4 } });
      expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(changed);
      expect((await readOption(sandbox, THREAT, 'mode'))['value']).toMatchObject({ value: 'fast' });
    }),
  );
});

describe('attributeNames', () => {
  test.each([
    ['dashed', 'entity-types', 'entityTypes'],
    ['camel', 'entityTypes', 'entity-types'],
  ] as const)('%s: names of more than one word', (attributeNames, there, notThere) =>
    withSandbox({ settings: { attributeNames } }, async (sandbox) => {
      const attributes = recordAt((await single(sandbox)).body, 'data', 'attributes');
      expect([Object.hasOwn(attributes, there), Object.hasOwn(attributes, notThere)]).toEqual([true, false]);
      expect((await readOption(sandbox, THREAT, 'apiKey'))['admin-only']).toBe(true);
    }),
  );
});

describe('acceptType', () => {
  test.each([
    ['both', 200, 200],
    ['plural', 200, 400],
    ['singular', 400, 200],
  ] as const)('%s: the type of an option in a PATCH', (acceptType, plural, singular) =>
    withSandbox({ settings: { acceptType } }, async (sandbox) => {
      const status = async (type: string) => {
        const body = optionsBody(THREAT, { timeout: { value: 1 } }, type);
        return (await sandbox.send('PATCH', '/api/integration-options', { body })).status;
      };
      expect([await status('integration-options'), await status('integration-option')]).toEqual([
        plural,
        singular,
      ]);
    }),
  );
});

describe('expiration', () => {
  const expiry = START / 1000 + 60;
  test.each([
    ['data', { data: { expiration_time: expiry } }],
    ['top', { expiration_time: expiry }],
    ['meta', { meta: { expiration_time: expiry } }],
  ] as const)('%s: where the expiry stands', (expiration, expected) =>
    withSandbox({ settings: { expiration }, tokenLifetime: 60 }, async (sandbox) => {
      const body = { identification: 'admin', password: 'admin' };
      const reply = await sandbox.send('POST', '/api/users/login', { as: 'nobody', body });
      expect(reply.body).toMatchObject(expected);
      expect(reply.text.match(/expiration_time/g)).toHaveLength(1);
    }),
  );
});

test.each([
  ['users', { id: '1', username: 'admin', role: 'administrator' }],
  ['absent', undefined],
] as const)('userSettings %s: what comes with a token', (userSettings, users) =>
  withSandbox({ settings: { userSettings } }, async (sandbox) => {
    expect(at((await sandbox.send('GET', '/api/users/refresh')).body, 'data', 'users')).toEqual(users);
  }),
);

test.each([
  ['keeps', 200],
  ['replaces', 401],
] as const)('refresh %s: the old token', (refresh, status) =>
  withSandbox({ settings: { refresh } }, async (sandbox) => {
    const token = await sandbox.login('admin');
    await sandbox.send('GET', '/api/users/refresh', { token });
    expect((await sandbox.send('GET', '/api/integrations', { token })).status).toBe(status);
  }),
);

test.each([
  ['document', { data: null }],
  ['empty', undefined],
] as const)('logoutAnswer %s: the body after a logout', (logoutAnswer, body) =>
  withSandbox({ settings: { logoutAnswer } }, async (sandbox) => {
    const reply = await sandbox.send('POST', '/api/users/logout');
    expect([reply.status, reply.body]).toEqual([200, body]);
  }),
);

test.each([
  ['document', 200],
  ['empty', 204],
] as const)('patchAnswer %s: the answer to both kinds of PATCH', (patchAnswer, status) =>
  withSandbox({ settings: { patchAnswer } }, async (sandbox) => {
    const replies = [
      await patchOptions(sandbox, THREAT, { timeout: { value: 3 } }),
      await patchAttributes(sandbox, THREAT, { autosubscribe: true }),
    ];
    expect(replies.map((reply) => [reply.status, reply.text === ''])).toEqual(
      [status, status].map((each) => [each, each === 204]),
    );
    expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(3);
  }),
);

test.each([
  ['refused', 422, { 'admin-only': true, 'user-can-edit': false }],
  ['stored', 200, { 'admin-only': true, 'user-can-edit': true }],
] as const)('invalidPair %s', (invalidPair, status, flags) =>
  withSandbox({ settings: { invalidPair } }, async (sandbox) => {
    expect((await patchOptions(sandbox, THREAT, { apiKey: { 'user-can-edit': true } })).status).toBe(status);
    expect(await readOption(sandbox, THREAT, 'apiKey')).toMatchObject(flags);
  }),
);

test.each(OPEN_POINTS.refusalStatus)(
  'refusalStatus %s: of a value that does not fit, and of an integration that is not running',
  (refusalStatus) =>
    withSandbox({ settings: { refusalStatus }, stopped: ['asset_*'] }, async (sandbox) => {
      const refused = [
        await patchOptions(sandbox, THREAT, { timeout: { value: 'x' } }),
        await patchOptions(sandbox, ASSETS, { port: { value: 1 } }),
        await patchAttributes(sandbox, THREAT, { autosubscribe: 'x' }),
      ];
      expect(refused.map(({ status }) => status)).toEqual(Array(3).fill(Number(refusalStatus)));
    }),
);

test.each([
  ['index', '/data/0/attributes/value', '/data'],
  ['key', '/data/attributes/timeout', '/data/attributes/apiKey'],
  ['none', undefined, undefined],
] as const)('pointer %s: at an option of the request, and at one that was not in it', (form, sent, notSent) =>
  withSandbox({ settings: { pointer: form }, require: ['apiKey'] }, async (sandbox) => {
    const reply = await patchOptions(sandbox, THREAT, { timeout: { value: 'x' } });
    expect(problemsOf(reply).pointers).toEqual([sent, notSent]);
  }),
);

test.each([
  ['nothing', false],
  ['value', true],
] as const)('echo %s: whether a refusal repeats the value', (echo, repeats) =>
  withSandbox({ settings: { echo } }, async (sandbox) => {
    expect(
      (await patchOptions(sandbox, THREAT, { timeout: { value: 'canary' } })).text.includes('canary'),
    ).toBe(repeats);
  }),
);

test.each([
  ['everyone', 200],
  ['managers', 403],
] as const)('readers %s: whether users may read', (readers, status) =>
  withSandbox({ settings: { readers } }, async (sandbox) => {
    expect((await sandbox.send('GET', '/api/integrations', { as: 'user' })).status).toBe(status);
    expect((await sandbox.send('GET', '/api/integrations', { as: 'manager' })).status).toBe(200);
  }),
);

test.each([
  ['withheld', 4],
  ['served', 6],
] as const)('hiddenOptions %s: what users see of an integration', (hiddenOptions, count) =>
  withSandbox({ settings: { hiddenOptions } }, async (sandbox) => {
    const { body } = await sandbox.send('GET', `/api/integrations/${THREAT}`, { as: 'user' });
    expect([listAt(body, 'included').length, items(at(body, 'data')).length]).toEqual([count, count]);
  }),
);

test.each([
  ['1', 1],
  ['0', 0],
] as const)('firstPage %s', (firstPage, first) =>
  withSandbox({ settings: { firstPage } }, async (sandbox) => {
    const page = async (query: string) =>
      (await sandbox.send('GET', `/api/integrations?page[size]=3${query}`)).body;
    expect(at(await page(''), 'meta', 'page', 'number')).toBe(first);
    expect(await page(`&page[number]=${first}`)).toEqual(await page(''));
    expect(listAt(await page(`&page[number]=${first + 2}`), 'data')).toHaveLength(2);
  }),
);

test.each([
  ['strict', 415],
  ['json', 200],
] as const)('mediaType %s: a body of application/json', (mediaType, status) =>
  withSandbox({ settings: { mediaType } }, async (sandbox) => {
    const body = { identification: 'admin', password: 'admin' };
    const headers = { 'content-type': 'application/json' };
    expect((await sandbox.send('POST', '/api/users/login', { as: 'nobody', body, headers })).status).toBe(
      status,
    );
  }),
);

test('stoppedStatus: the word for an integration that is not running', () =>
  withSandbox({ settings: { stoppedStatus: 'error' }, stopped: ['threat_*'] }, async (sandbox) => {
    expect(at((await single(sandbox)).body, 'data', 'attributes', 'status')).toBe('error');
    expect((await patchOptions(sandbox, THREAT, { timeout: { value: 1 } })).status).toBe(422);
  }));

test('updatable: attributes that can be changed', () =>
  withSandbox({ settings: { updatable: ['description'] } }, async (sandbox) => {
    expect((await patchAttributes(sandbox, THREAT, { description: 'New' })).status).toBe(200);
    expect((await patchAttributes(sandbox, THREAT, { autosubscribe: true })).status).toBe(422);
  }));

describe('require', () => {
  test('an option that is empty refuses each change of its integration, also of others', () =>
    withSandbox({ require: ['apiKey'] }, async (sandbox) => {
      const reply = await patchOptions(sandbox, THREAT, { timeout: { value: 1 } });
      expect(problemsOf(reply)).toEqual({ status: 422, pointers: ['/data'] });
      expect(reply.text).toContain('apiKey must not be empty');
      expect((await readOption(sandbox, THREAT, 'timeout'))['value']).toBe(10);
    }));
  test('it may be filled in by the same request', () =>
    withSandbox({ require: ['apiKey'] }, async (sandbox) => {
      expect(
        (await patchOptions(sandbox, THREAT, { timeout: { value: 1 }, apiKey: { value: 'k' } })).status,
      ).toBe(200);
      expect((await patchOptions(sandbox, THREAT, { timeout: { value: 2 } })).status).toBe(200);
      expect(problemsOf(await patchOptions(sandbox, THREAT, { apiKey: { value: '' } })).pointers).toEqual([
        '/data/0/attributes/value',
      ]);
    }));
  test('a glob on the id of the option limits it to one integration; lists and selects can be empty too', () =>
    withSandbox({ require: ['ticket_*-defaultQueue', `${THREAT}-types`] }, async (sandbox) => {
      expect((await patchOptions(sandbox, ASSETS, { port: { value: 1 } })).status).toBe(200);
      expect((await patchOptions(sandbox, THREAT, { types: { value: [] } })).status).toBe(422);
    }));
});

test('every default is the first answer of its open point', () => {
  for (const [name, answers] of Object.entries(OPEN_POINTS))
    expect(recordAt(DEFAULT_SETTINGS)[name]).toBe(answers[0]);
});
