import { describe, expect, test } from 'vitest';
import { DESIRED, yamlOf } from '../support/desired.ts';
import type { Fault } from '../support/faults.ts';
import { withFaultyServer } from '../support/faulty-apply.ts';
import { codesOf, expectTruth } from '../support/verdict.ts';

const one = DESIRED.slice(2, 3);
const TOO_MANY: Fault = { status: 429 };
const BROKEN: Fault = { status: 500 };
const EXPIRED: Fault = { status: 401 };

describe('a PATCH is sent three times at most, whatever stands in its way', () => {
  test.each<[string, Fault[], number, number]>([
    ['429 and failures by turns', [TOO_MANY, BROKEN, TOO_MANY, BROKEN, TOO_MANY], 3, 5],
    ['failures alone', [BROKEN, BROKEN, BROKEN, BROKEN], 3, 5],
    ['429 alone', [TOO_MANY, TOO_MANY, TOO_MANY, TOO_MANY], 3, 5],
    ['a token that ended, then a failure', [EXPIRED, BROKEN], 3, 0],
    ['all but the last', [BROKEN, TOO_MANY], 3, 0],
  ])('%s', async (_, faults, sent, code) => {
    const faultOf = ({ kind, ofKind }: { kind: string; ofKind: number }) =>
      kind === 'patch options' ? faults[ofKind] : undefined;
    await withFaultyServer(yamlOf(one), {}, faultOf, async ({ proxy, exchanges, apply }) => {
      const result = await apply();
      expectTruth(one, result, exchanges);
      expect(proxy.kinds.filter((kind) => kind === 'patch options').length).toBe(sent);
      expect([result.code, codesOf(result)]).toEqual([code, code === 0 ? [] : ['apply-failed']]);
    });
  });
});

test('a server that nobody can reach for a PATCH is said not to have it', async () => {
  const faultOf = ({ kind, number }: { kind: string; number: number }): Fault | undefined =>
    kind === 'list page k' && number === 3 ? 'last-answer' : undefined;
  await withFaultyServer(yamlOf(one), {}, faultOf, async ({ exchanges, apply }) => {
    const result = await apply(['--concurrency', '1']);
    expectTruth(one, result, exchanges);
    expect([result.code, codesOf(result).sort()]).toEqual([
      5,
      ['apply-failed', 'errors-unread', 'logout-failed'],
    ]);
  });
});

test('a signal between two attempts lets nothing new start', async () => {
  const faultOf = ({ kind }: { kind: string }) => (kind === 'patch options' ? BROKEN : undefined);
  await withFaultyServer(yamlOf(one), {}, faultOf, async ({ proxy, exchanges, apply }) => {
    const signals: ((name: 'SIGINT') => void)[] = [];
    const result = await apply([], {
      onStart: (signal) => signals.push(signal),
      onSleep: () => signals[0]?.('SIGINT'),
    });
    expectTruth(one, result, exchanges);
    expect(proxy.kinds.filter((kind) => kind === 'patch options').length).toBe(1);
    expect(result.code).toBe(130);
  });
});
