import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { validate } from '../../../src/generated/plan-validator.js';
import { sampleDocument } from '../../support/documents.ts';
import { FORMATS, rendered } from '../../support/rendered.ts';

const FOLDER = 'test/core/report/golden';

test('the sample has the shape of the schema', () => {
  expect([validate(sampleDocument()), validate.errors]).toEqual([true, null]);
});

// UPDATE_GOLDEN=1 writes them anew; the difference is then to be read.
test.each(cells)('$format of the plan $plan', ({ format, plan }) => {
  const path = `${FOLDER}/${plan}.${format}`;
  const servers = REPORT_PLANS[plan]?.() ?? [];
  const unknown = { key: 'limt', integration: 'virustotal', known: ['limit'] };
  const found = [
    ...refusals(servers, {}, 'plan'),
    ...(plan === 'empty'
      ? []
      : [diagnostic('unknown-option', unknown, { file: 'base/vt.yaml', line: 3, column: 5 })]),
  ];
  const fresh = told(
    rendered(format, { kind: 'plan', isComplete: true, servers }, found, [], { project: 'setpoint.yaml' }),
  );
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, fresh);
  } else expect(fresh).toBe(readFileSync(path, 'utf8'));
});

test.each(FORMATS)('%s of a saved document is that of the fresh one', (format) => {
  const saved = JSON.parse(rendered('json', sampleDocument()));
  expect(rendered(format, saved)).toBe(rendered(format, sampleDocument()));
});
