import { expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { useSandbox } from '../../support/sandbox.ts';
import {
  LOGS,
  patchAttributes,
  THREAT,
  TICKETS,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ stopped: ['ticket_*'] });
const patch = (body: unknown, id = THREAT) =>
  sandbox().send('PATCH', `/api/integrations/${id}`, { body });
const served = async (id: string) =>
  (await sandbox().send('GET', `/api/integrations/${id}`)).body;

test.each([
  ['autosubscribe', THREAT, { autosubscribe: true }],
  [
    'those of an integration that is not running',
    TICKETS,
    { autosubscribe: true },
  ],
])(
  '4.8 %s: the answer is the integration as it is now',
  async (_, id, attributes) => {
    const reply = await patchAttributes(sandbox(), id, attributes);
    expect([reply.status, reply.body]).toEqual([200, await served(id)]);
    expect(at(reply.body, 'data', 'attributes')).toMatchObject(attributes);
  },
);

test.each([
  ['autosubscribe', '"true"'],
  ['name', '"x"'],
  ['status', '"stopped"'],
  ['__proto__', '"x"'],
])('4.8 %s: %s is refused', async (name, value) => {
  const before = await served(THREAT);
  const attributes = `{"${name}":${value}}`;
  const reply = await patch(
    `{"data":{"id":"${THREAT}","attributes":${attributes}}}`,
  );
  expect(reply.status).toBe(422);
  expect(await served(THREAT)).toEqual(before);
});

test.each([
  ['no id', { attributes: {} }],
  ['another id than in the address', { id: LOGS, attributes: {} }],
])('4.8 a body with %s is refused', async (_, data) =>
  expect((await patch({ data })).status).toBe(400),
);

test('4.8 an unknown integration is 404', async () =>
  expect((await patch({ data: { id: 'x', attributes: {} } }, 'x')).status).toBe(
    404,
  ));
