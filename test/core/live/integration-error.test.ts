import { expect, test } from 'vitest';
import { type IntegrationError, risenErrors } from '../../../src/core/live/integration-error.ts';

function error(id: string, count: number, integration = 'vt'): IntegrationError {
  return { id, integration, count, code: '', title: 't', detail: '', occurredOn: '', status: null };
}

const rise = (before: readonly IntegrationError[], after: readonly IntegrationError[]) =>
  risenErrors(before, after, new Set(['vt'])).map((each) => [each.error.id, each.before, each.error.count]);

test('what is new or more frequent has risen', () => {
  const before = [error('a', 1), error('b', 4), error('c', 2)];
  const after = [error('a', 1), error('b', 5), error('d', 1), error('c', 1)];
  expect(rise(before, after)).toEqual([
    ['b', 4, 5],
    ['d', 0, 1],
  ]);
});

test('a new error counts also where the server counts it as zero', () => {
  expect(rise([], [error('a', 0)])).toEqual([['a', 0, 0]]);
});

test('errors of other integrations do not count; those of nobody may', () => {
  expect(rise([], [error('a', 1, 'other'), error('b', 1, '')])).toEqual([['b', 0, 1]]);
});
