import { describe, expect, test } from 'vitest';
import { DESIRED } from '../support/desired.ts';
import type { RequestKind } from '../support/fault-proxy.ts';
import { JSON_API } from '../support/faults.ts';
import { faultyServer } from '../support/faulty-apply.ts';
import { yamlOf } from '../support/fleet.ts';
import { findingsOf, outcomesOf } from '../support/report.ts';
import { run } from '../support/run.ts';

const said = {
  detail: 'it must be at least 100',
  source: { pointer: '/data/1/attributes/value' },
};

/** One integration, the second option of which is on line 4. */
const yaml = yamlOf(DESIRED.slice(0, 1)).replace('limit:', '\n    limit:');

/** A server that answers one kind of request well, in its own words, whether the service has acted or not. */
function answering(
  kind: RequestKind,
  body: string,
  { status = 200, acted = false } = {},
) {
  const answer = { status, headers: JSON_API, body, acted };
  return faultyServer(yaml, (seen) =>
    seen.kind === kind ? answer : undefined,
  );
}

describe.each([false, true])(
  'a PATCH that was answered well, with errors (done all the same: %s)',
  (acted) => {
    test.each<[string, number, object]>([
      ['200 with data and errors', 200, { data: [], errors: [said] }],
      [
        '207 with errors of an item',
        207,
        { data: [{ id: 'x' }, { id: 'y', errors: [said] }] },
      ],
    ])(
      '%s: failed at its line, and nothing further is sent',
      async (_, status, body) => {
        const { proxy, apply } = await answering(
          'patch options',
          JSON.stringify(body),
          { status, acted },
        );
        const result = await apply();
        expect([result.code, outcomesOf(result)]).toEqual([5, ['failed']]);
        const findings = findingsOf(result).filter(
          ({ code }) => code === 'apply-failed',
        );
        expect(findings).toMatchObject([{ places: [{ line: 4 }] }]);
        expect(findings[0]?.message).toContain('it must be at least 100');
        expect(proxy.kinds.filter((kind) => kind.startsWith('patch'))).toEqual([
          'patch options',
        ]);
      },
    );
  },
);

test('a PATCH that was answered well, with errors, is unknown if nothing can be read back', async () => {
  const errors = {
    status: 200,
    headers: JSON_API,
    body: JSON.stringify({ data: [], errors: [said] }),
    acted: true,
  };
  const { apply } = await faultyServer(yaml, ({ kind }) => {
    if (kind === 'patch options') return errors;
    return kind === 'read back' ? { status: 500 } : undefined;
  });
  const result = await apply(['--verify', '0']);
  expect([result.code, outcomesOf(result)]).toEqual([5, ['unknown']]);
  expect(findingsOf(result)).toMatchObject([
    { code: 'apply-unknown', places: [{ line: 4 }] },
  ]);
});

test.each([
  [
    'with errors in it is not a whole list',
    '{"data":[],"meta":{"page":{"number":1,"size":3,"total":0}},"errors":[{"detail":"half of it"}]}',
    'half of it',
  ],
  [
    'of too many objects is not parsed',
    `{"data":[${'{},'.repeat(400_000)}{}]}`,
    '400000 objects',
  ],
])('a list %s', async (_, body, words) => {
  const { proxy } = await answering('list page 1', body);
  const result = await run(['list', '--url', proxy.url]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(words);
});
