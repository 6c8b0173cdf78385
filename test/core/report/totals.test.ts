import { expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { factsOf, totalText } from '../../../src/core/report/totals.ts';
import {
  documentWith,
  integrationOf,
  leftField,
  serverOf,
} from '../../support/documents.ts';

test('what is left aside is counted in fields on each server, and named once', () => {
  const vt = integrationOf('vt', [], {
    hidden: [leftField('vt.options.key.value', 3)],
    unread: [leftField('vt.options.token.value', 4)],
  });
  const servers = ['a', 'b'].map((name) => serverOf(name, [vt]));
  const counted = documentWith([...servers, serverOf('c', [])]);
  const [[title, names] = []] = factsOf(counted).aside;
  expect(title).toMatch(/^4 fields hidden/);
  expect(names).toEqual([
    'vt.options.key.value (a, b)',
    'vt.options.token.value (a, b)',
  ]);
});

const ERROR: Document['diagnostics'][number] = {
  code: 'unreachable',
  severity: 'error',
  message: 'x',
};
const broken = integrationOf('vt', [], { unplanned: true });
const nothing = serverOf('s', []);
const whole = serverOf('s', [broken, integrationOf('us', [])]);

test.each<[string, Document, boolean]>([
  ['no server could be', documentWith([], { diagnostics: [ERROR] }), true],
  ['no entry matched', documentWith([nothing], { diagnostics: [ERROR] }), true],
  [
    'all have errors',
    documentWith([serverOf('s', [broken])], { diagnostics: [ERROR] }),
    true,
  ],
  ['one could be', documentWith([whole], { diagnostics: [ERROR] }), false],
  ['there was nothing to plan', documentWith([nothing]), false],
])('a total tells whether anything was planned: %s', (_, document, isNone) => {
  expect(totalText(document) === 'Nothing was planned.').toBe(isNone);
});
