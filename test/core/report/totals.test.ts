import { expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { totalText } from '../../../src/core/report/totals.ts';
import {
  documentWith,
  integrationOf,
  serverOf,
} from '../../support/documents.ts';

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
