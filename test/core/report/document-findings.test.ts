import { expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { findingsWithRefusals } from '../../../src/core/report/document-findings.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../support/documents.ts';

const RISK = {
  code: 'risk-refused',
  message: 'refused',
  risk: 'exposes-secret',
  addresses: ['vt.options.limit.value'],
} as const;
const SIZE = { code: 'many-changes', message: 'many', changed: 4, managed: 9 };
const vt = [integrationOf('vt', [changeOf('vt', 7)])];
const note: Document['diagnostics'][number] = {
  code: 'not-reviewed',
  severity: 'warning',
  message: 'x',
};

test('what an apply refuses is a finding for those who list them', () => {
  const only = serverOf('s', vt, { refusals: [RISK] });
  const document = documentWith([only], { diagnostics: [note] });
  expect(findingsWithRefusals(document)).toMatchObject([
    { code: 'not-reviewed' },
    {
      code: 'risk-refused',
      severity: 'warning',
      message: 'refused',
      integrations: ['vt'],
      addresses: RISK.addresses,
      places: [{ file: 'base/integrations.yaml', line: 7 }],
    },
  ]);
});

test('of several servers it names its own, and what is said of all is said once', () => {
  const servers = ['a', 'b'].map((name) =>
    serverOf(name, vt, { refusals: [RISK, SIZE] }),
  );
  const found = findingsWithRefusals(
    documentWith(servers, { command: 'apply' }),
  );
  expect(
    found.map(({ code, severity, server }) => [code, severity, server]),
  ).toEqual([
    ['many-changes', 'error', undefined],
    ['risk-refused', 'error', 'a'],
    ['risk-refused', 'error', 'b'],
  ]);
});
