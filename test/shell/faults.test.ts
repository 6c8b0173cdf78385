import { expect, test } from 'vitest';
import { DESIRED, expectTruth } from '../support/desired.ts';
import type { Dialect } from '../support/dialects.ts';
import type { RequestKind, Seen } from '../support/fault-proxy.ts';
import { type Fault, PAGE, refusal } from '../support/faults.ts';
import { faultyServer } from '../support/faulty-apply.ts';
import { yamlOf } from '../support/fleet.ts';
import { sampled } from '../support/soak.ts';

const ALWAYS = Number.POSITIVE_INFINITY;
const DETAIL: Dialect = { dialect: 'detail' };
/** Nobody can tell by reading what came of a secret. */
const MASKED: Dialect = { passwords: 'masked' };

/** What meets how many requests of a kind, and the exit code of the apply. */
const TRIALS: [Fault, RequestKind, times: number, code: number, Dialect?][] = [
  ['reset', 'login', 2, 0],
  ['truncated', 'login', ALWAYS, 1],
  ['too-short', 'login', 1, 0],
  [refusal(403), 'login', 1, 4],
  [refusal(401), 'list page 1', 1, 0],
  ['last-answer', 'list page 1', 1, 0],
  [refusal(401), 'list page k', ALWAYS, 4],
  [PAGE, 'list page k', 2, 0],
  ['too-short', 'list page k', ALWAYS, 1],
  [refusal(503, { 'retry-after': '2' }), 'detail', 2, 0, DETAIL],
  ['drip', 'detail', 1, 0, DETAIL],
  [refusal(403), 'detail', 1, 5, DETAIL],
  ['no-http', 'errors', ALWAYS, 0],
  ['reset', 'patch options', ALWAYS, 5],
  ['reset-after', 'patch options', 2, 0],
  ['reset-after', 'patch options', ALWAYS, 0],
  ['reset-after', 'patch options', ALWAYS, 5, MASKED],
  ['silence-after', 'patch options', 1, 0],
  ['last-answer', 'patch options', 1, 0],
  [{ ...refusal(500), acted: true }, 'patch attributes', ALWAYS, 0],
  [refusal(429, { 'retry-after': '7' }), 'patch attributes', 2, 0],
  [refusal(401), 'patch attributes', 1, 0],
  [refusal(403), 'patch attributes', 1, 5],
  ['truncated', 'read back', 2, 0],
  [refusal(500), 'read back', ALWAYS, 5],
  ['reset-after', 'logout', ALWAYS, 0],
];

test.each(sampled(TRIALS, 3))(
  'the report is true when %j meets %s, %d times',
  async (fault, kind, times, code, settings) => {
    const faultOf = (seen: Seen) =>
      seen.kind === kind && seen.ofKind < times ? fault : undefined;
    const { proxy, exchanges, patience, apply } = await faultyServer(
      yamlOf(DESIRED),
      faultOf,
      settings,
    );
    const limits =
      fault === 'drip' || fault === 'silence-after'
        ? ['--timeout', String(patience)]
        : [];
    const result = await apply(limits, { onSleep: () => proxy.comeBack() });
    expect(proxy.kinds).toContain(kind);
    expectTruth(DESIRED, result, exchanges);
    expect(result.code, result.stderr).toBe(code);
    expect(proxy.kinds.at(-1)).toBe(
      kind === 'login' && code !== 0 ? 'login' : 'logout',
    );
  },
);
