import { expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import {
  type CommandEnd,
  exitCode,
} from '../../../src/core/findings/exit-code.ts';

test.each<[string, CommandEnd, number]>([
  ['nothing was found', { exits: [] }, 0],
  ['there are differences', { exits: [], differs: true }, 2],
  ['a configuration is wrong too', { exits: [3], differs: true }, 3],
  ['a server failed too', { exits: [3, 1], differs: true }, 1],
  ['a login was refused too', { exits: [1, 4, 3] }, 4],
  ['a guard refused too', { exits: [4, 6, 1, 3] }, 6],
  ['accept skipped a field', { exits: [5] }, 5],
  ['a shard has differences', { exits: [0, 2] }, 2],
  ['it was interrupted', { exits: [6, 130], hasWritten: true }, 130],
  ['it was terminated', { exits: [5, 143] }, 143],
  ['it was both', { exits: [143, 130] }, 130],
  ['all was written', { exits: [], hasWritten: true }, 0],
  ['all was written in all shards', { exits: [0, 0], hasWritten: true }, 0],
  ['a part was refused', { exits: [5], hasWritten: true }, 5],
  ['all was refused', { exits: [5], hasWritten: false }, 5],
  [
    'a server failed, and another was written',
    { exits: [1], hasWritten: true },
    5,
  ],
  ['a part was left out by an error', { exits: [3, 5], hasWritten: true }, 5],
  ['a report was lost', { exits: [1], hasWritten: true }, 5],
  ['a permission lacks for a part', { exits: [4], hasWritten: true }, 5],
  ['a permission lacks for all', { exits: [4], hasWritten: false }, 4],
  ['a token died before all', { exits: [5, 4], hasWritten: false }, 4],
  ['a token died in between', { exits: [5, 4], hasWritten: true }, 5],
])('the exit code if %s', (_, ending, expected) => {
  expect(exitCode([], ending)).toBe(expected);
});

const usage = diagnostic('usage', { problem: 'x' });
const failed = diagnostic('apply-failed', {
  integrations: ['a'],
  detail: '',
  taken: [],
});
const risky = {
  risk: 'exposes-secret',
  addresses: [],
  integrations: [],
  isBarred: false,
} as const;
const refused = diagnostic('risk-refused', risky);
const denied = diagnostic('login-refused', { status: 401 });
const unreachable = diagnostic('unreachable', {
  origin: 'x',
  reason: 'y',
  isCutShort: false,
});
const warning = diagnostic('idle-declaration', { of: 'entry', name: 'x' });

test.each([
  ['a warning', [warning], 0],
  ['a server failure', [unreachable], 1],
  ['wrong usage', [usage], 3],
  ['a refused token', [denied], 4],
  ['an integration that failed', [failed], 5],
  ['a guard', [refused], 6],
  ['Ctrl-C', [diagnostic('interrupted', { signal: 'SIGINT' })], 130],
  ['SIGTERM', [diagnostic('interrupted', { signal: 'SIGTERM' })], 143],
])('%s', (_, diagnostics, expected) => {
  expect(exitCode(diagnostics)).toBe(expected);
});

test.each([
  ['another warning', [warning], 3],
  [
    'a note',
    [
      diagnostic('hides-secrets', {
        addresses: ['a'],
        integrations: [],
        isSent: false,
      }),
    ],
    2,
  ],
])('where warnings count: %s', (_, diagnostics, expected) => {
  expect(exitCode(diagnostics, { differs: true, isStrict: true })).toBe(
    expected,
  );
  expect(exitCode(diagnostics, { differs: true })).toBe(2);
});
