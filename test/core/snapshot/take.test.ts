import { describe, expect, test } from 'vitest';
import type { DesiredIntegration } from '../../../src/core/model/desired.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { takeSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const NOTHING: readonly DesiredIntegration[] = [];

function taken(live: readonly LiveIntegration[], desired = NOTHING) {
  const server = { name: 'production', url: 'https://server.example' };
  const takenAt = '2026-11-20T03:00:00Z';
  return takeSnapshot({ server, takenAt, live }, desired);
}

/** What a snapshot says of the one option of an integration. */
function takenOption(option: LiveOption) {
  return taken([liveIntegration('vt', [option])]).integrations[0]?.options[0];
}

const SECRET = 'QXZJ-0123456789';

/** An option of which the server serves no type. */
function untyped(key: string): LiveOption {
  const { type: _, ...option } = liveOption(key, { value: readable(SECRET) });
  return option;
}

describe('a snapshot', () => {
  test('has integrations by their ids and options by their keys, without what moves by itself', () => {
    const live = [
      liveIntegration(
        'b',
        [liveOption('z', { value: readable(1) }), liveOption('a')],
        { errorCount: 7 },
      ),
      liveIntegration('a', [], { optionKeys: new Set(['unread']) }),
    ];
    const snapshot = taken(live);
    expect(
      snapshot.integrations.map(({ id, options }) => [
        id,
        options.map(({ key }) => key),
      ]),
    ).toEqual([
      ['a', ['unread']],
      ['b', ['a', 'z']],
    ]);
    expect(JSON.stringify(snapshot)).not.toContain('7');
    expect(snapshot.integrations[0]?.options).toEqual([
      { key: 'unread', permission: 'unknown', hidden: true },
    ]);
  });
  test.each<[string, LiveOption, true | undefined]>([
    [
      'a password',
      liveOption('a', { type: 'password', value: readable(SECRET) }),
      true,
    ],
    [
      'a text in the form of a secret',
      liveOption('a', { value: readable(`AKIA${'Q'.repeat(16)}`) }),
      true,
    ],
    [
      'one of no known type with a key of a secret',
      untyped('clientSecret'),
      true,
    ],
    [
      'but not a text with such a key',
      liveOption('clientSecret', { value: readable('Quiet') }),
      undefined,
    ],
  ])('keeps out what may be a secret: %s', (_, option, secret) => {
    const found = takenOption(option);
    expect(found).toHaveProperty('permission');
    expect(Reflect.get(found ?? {}, 'secret')).toBe(secret);
    expect('value' in (found ?? {})).toBe(secret === undefined);
    if (secret !== undefined) expect(JSON.stringify(found)).not.toContain('Q');
  });
});
