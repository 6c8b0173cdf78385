import { describe, expect, test } from 'vitest';
import { decodeSnapshot } from '../../../src/core/snapshot/snapshot.ts';

const OPTION = { key: 'a', permission: 'lock-and-hide', value: 1 };
const SNAPSHOT = {
  formatVersion: '2.0',
  tool: { name: 'setpoint', version: '1.2.3' },
  server: { name: 'production', url: 'https://server.example' },
  takenAt: '2026-11-20T03:00:00Z',
  integrations: [
    {
      id: 'vt',
      options: [OPTION, { key: 'b', permission: 'unknown', hidden: true }],
    },
  ],
};

const problemOf = (document: unknown) => problemIn(JSON.stringify(document));
const problemIn = (text: string) =>
  Reflect.get(decodeSnapshot(text), 'problem');
const servedAt = (url: string) => ({ ...SNAPSHOT, server: { name: 'x', url } });
const withOption = (option: object) => ({
  ...SNAPSHOT,
  integrations: [{ id: 'vt', options: [option] }],
});

describe('a file of a snapshot', () => {
  test('is read as it was written, however it is laid out', () => {
    const { server, takenAt } = SNAPSHOT;
    const read = decodeSnapshot(JSON.stringify(SNAPSHOT));
    expect(read).toMatchObject({
      server,
      takenAt,
      live: [{ id: 'vt', optionKeys: new Set(['a', 'b']) }],
    });
    expect(
      decodeSnapshot(
        JSON.stringify(SNAPSHOT, null, '\t').replaceAll('\n', '\r\n'),
      ),
    ).toEqual(read);
  });
  test.each<[string, unknown, RegExp]>([
    ['nothing', null, /^it is not what setpoint snapshot writes$/],
    [
      'a later one',
      { ...SNAPSHOT, formatVersion: '2.1' },
      /^it has format 2\.1/,
    ],
    [
      'a plan',
      { formatVersion: '2.0', servers: [] },
      /shape of a snapshot at its top level$/,
    ],
    [
      'another tool',
      { ...SNAPSHOT, tool: { name: 'x', version: '1' } },
      /at \/tool\/name$/,
    ],
    [
      'integrations that are none',
      { ...SNAPSHOT, integrations: {} },
      /at \/integrations$/,
    ],
    [
      'an empty id',
      { ...SNAPSHOT, integrations: [{ id: '', options: [] }] },
      /at \/integrations\/0\/id$/,
    ],
    [
      'a value and a secret',
      withOption({ ...OPTION, secret: true }),
      /options\/0$/,
    ],
    [
      'a value in a value',
      withOption({ ...OPTION, value: { a: { a: 1 } } }),
      /options\/0\/value/,
    ],
    [
      'a path in its address',
      servedAt('https://s.example/x'),
      /no usable address$/,
    ],
    [
      'an integration twice',
      {
        ...SNAPSHOT,
        integrations: [SNAPSHOT.integrations[0], SNAPSHOT.integrations[0]],
      },
      /^it lists an integration twice$/,
    ],
  ])('is refused with %s', (_, document, problem) => {
    expect(problemOf(document)).toMatch(problem);
  });
  test('that is no JSON, cut, or deeper than any stack is refused', () => {
    const text = JSON.stringify(SNAPSHOT);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const broken of [
      '',
      '{',
      text.slice(0, -1),
      deep,
      text.replace('"value":1', `"value":${deep}`),
    ])
      expect(problemIn(broken)).toMatch(/^it /);
  });
  test('may hold a text of any length, with what looks like keys in it', () => {
    const value = '": "\\"x": 1, '.repeat(400_000);
    const read = decodeSnapshot(
      JSON.stringify(withOption({ ...OPTION, value })),
    );
    if ('problem' in read) throw new Error(read.problem);
    const side = read.live[0]?.options.get('a')?.value;
    // A text of this length would fill the message of a failure.
    expect(side?.kind === 'shown' && side.value === value).toBe(true);
  });
});
