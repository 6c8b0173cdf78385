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
test.each(FORMATS)('%s of a plan', (format) => {
  const path = `${FOLDER}/plan.${format}`;
  const fresh = rendered(format, sampleDocument());
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, fresh);
  } else expect(fresh).toBe(readFileSync(path, 'utf8'));
});

test.each(FORMATS)('%s of a saved document is that of the fresh one', (format) => {
  const saved = JSON.parse(rendered('json', sampleDocument()));
  expect(rendered(format, saved)).toBe(rendered(format, sampleDocument()));
});
