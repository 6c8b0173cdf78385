import { describe, expect, test } from 'vitest';
import { DESIRED, yamlOf } from '../support/desired.ts';
import type { Fault } from '../support/faults.ts';
import { withFaultyServer } from '../support/faulty-apply.ts';
import { findingsOf, outcomesOf } from '../support/report.ts';
import { type RunResult, run } from '../support/run.ts';

const TYPE = { 'content-type': 'application/vnd.api+json' };
const one = DESIRED.slice(0, 1);
const said = { detail: 'it must be at least 100', source: { pointer: '/data/1/attributes/value' } };

/** A good answer with errors in it, whether the service has acted or not. */
const answer = (status: number, body: object, acted: boolean): Fault => ({
  status,
  headers: TYPE,
  body: JSON.stringify(body),
  acted,
});

const told = (result: RunResult) => ({
  outcomes: outcomesOf(result),
  findings: findingsOf(result).filter(({ code }) => code === 'apply-failed'),
});

/** The line of the second option of the configuration. */
const yaml = yamlOf(one).replace('timeout:', '\n    timeout:');

describe.each([false, true])(
  'a PATCH that was answered well, with errors (done all the same: %s)',
  (acted) => {
    test.each<[string, number, object]>([
      ['200 with data and errors', 200, { data: [], errors: [said] }],
      ['207 with errors of an item', 207, { data: [{ id: 'x' }, { id: 'y', errors: [said] }] }],
    ])('%s: failed at its line, and nothing further is sent', async (_, status, body) => {
      const faultOf = ({ kind }: { kind: string }) =>
        kind === 'patch options' ? answer(status, body, acted) : undefined;
      await withFaultyServer(yaml, {}, faultOf, async ({ proxy, apply }) => {
        const result = await apply();
        const { outcomes, findings } = told(result);
        expect([result.code, outcomes]).toEqual([5, ['failed']]);
        expect(findings).toEqual([expect.objectContaining({ line: 4 })]);
        expect(findings[0]?.message).toContain('it must be at least 100');
        const patches = proxy.kinds.filter((kind) => kind.startsWith('patch'));
        expect(patches).toEqual(['patch options']);
      });
    });
  },
);

test.each([
  ['errors that say nothing', { errors: [{}] }],
  ['a text', { errors: 'no' }],
  ['messages by key', { errors: { timeout: ['too short'] } }],
])('%s are a refusal too', async (_, body) => {
  const faultOf = ({ kind }: { kind: string }) =>
    kind === 'patch options' ? answer(200, body, false) : undefined;
  await withFaultyServer(yaml, {}, faultOf, async ({ apply }) => {
    expect(told(await apply()).outcomes).toEqual(['failed']);
  });
});

test.each([
  { errors: [] },
  { errors: null },
  { data: [], meta: { errors: [] } },
  { errors: {} },
  { data: [{ id: 'x', meta: { errors: [{}] } }] },
])('%j is none', async (body) => {
  const faultOf = ({ kind }: { kind: string }) =>
    kind === 'patch options' ? answer(200, body, true) : undefined;
  await withFaultyServer(yaml, {}, faultOf, async ({ apply }) => {
    const result = await apply();
    expect([result.code, told(result).outcomes]).toEqual([0, ['verified']]);
  });
});

test('nor is what an integration in the answer says of its own errors', async () => {
  const body = { data: { id: 'x', meta: { errors: [{ detail: 'last night' }] } } };
  const faultOf = ({ kind }: { kind: string }) =>
    kind === 'patch attributes' ? answer(200, body, true) : undefined;
  await withFaultyServer(yaml, {}, faultOf, async ({ apply }) => {
    expect(told(await apply()).outcomes).toEqual(['verified']);
  });
});

test('a list with errors in it is not a whole list', async () => {
  const body = {
    data: [],
    meta: { page: { number: 1, size: 3, total: 0 } },
    errors: [{ detail: 'half of it' }],
  };
  const faultOf = ({ kind }: { kind: string }) =>
    kind === 'list page 1' ? answer(200, body, false) : undefined;
  await withFaultyServer(yaml, {}, faultOf, async ({ proxy }) => {
    const result = await run(['list', '--url', proxy.url]);
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('half of it')]);
  });
});

test('an answer of too many objects is not parsed', async () => {
  const fault: Fault = { status: 200, headers: TYPE, body: `{"data":[${'{},'.repeat(400_000)}{}]}` };
  await withFaultyServer(
    yaml,
    {},
    ({ kind }) => (kind === 'list page 1' ? fault : undefined),
    async ({ proxy }) => {
      const result = await run(['list', '--url', proxy.url]);
      expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('400000 objects')]);
    },
  );
});
