import { expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { exitCode } from '../../../src/core/findings/explain.ts';

const usage = diagnostic('usage', { problem: 'x' });
const failed = diagnostic('apply-failed', {
  integrations: ['a'],
  detail: '',
  taken: [],
});
const risky = { risk: 'exposes-secret', addresses: [], by: 'default' } as const;
const refused = diagnostic('risk-refused', { ...risky, command: 'apply' });
const denied = diagnostic('login-refused', { status: 401 });
const unreachable = diagnostic('unreachable', { origin: 'x', reason: 'y' });
const warning = diagnostic('idle-declaration', { of: 'entry', name: 'x' });

test.each([
  ['nothing found', [], false, 0],
  ['differences that nobody asked the exit code for', [], false, 0],
  ['differences', [], true, 2],
  ['a warning', [warning], false, 0],
  ['a warning and differences', [warning], true, 2],
  ['a server failure', [unreachable], true, 1],
  ['wrong usage', [usage], true, 3],
  ['a refused token', [denied], false, 4],
  ['an integration that failed', [failed], false, 5],
  ['a guard', [refused], false, 6],
  ['Ctrl-C', [diagnostic('interrupted', { signal: 'SIGINT' })], false, 130],
  [
    'SIGTERM, whatever else happened',
    [failed, diagnostic('interrupted', { signal: 'SIGTERM' })],
    false,
    143,
  ],
  [
    'a closed terminal',
    [failed, diagnostic('interrupted', { signal: 'SIGHUP' })],
    false,
    143,
  ],
  [
    'something applied incompletely outweighs a failure',
    [unreachable, failed],
    false,
    5,
  ],
])('%s', (_, diagnostics, differs, expected) => {
  expect(exitCode(diagnostics, { differs })).toBe(expected);
});

test.each([
  ['a refusal', [diagnostic('risk-refused', { ...risky, command: 'plan' })], 6],
  [
    'a refusal and another warning',
    [warning, diagnostic('many-changes', { changed: 9, large: [] })],
    6,
  ],
  ['another warning', [warning], 3],
  [
    'a note',
    [diagnostic('hides-secrets', { addresses: ['a'], isSent: false })],
    2,
  ],
])('where warnings count: %s', (_, diagnostics, expected) => {
  expect(exitCode(diagnostics, { differs: true, isStrict: true })).toBe(
    expected,
  );
  expect(exitCode(diagnostics, { differs: true })).toBe(2);
});
