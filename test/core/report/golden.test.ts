import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { validate } from '../../../src/generated/plan-validator.js';
import { expectGolden } from '../../support/golden.ts';
import { FORMATS, rendered } from '../../support/rendered.ts';
import { SAMPLES } from './samples.ts';

describe.each(Object.entries(SAMPLES))('%s', (_, document: Document) => {
  test('the sample has the shape of the schema', () => {
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });
  test.each(FORMATS)(
    'a saved document as %s is that of the fresh one',
    (format) => {
      const saved = JSON.parse(rendered('json', document));
      expect(rendered(format, saved)).toBe(rendered(format, document));
    },
  );
});

// The other formats have golden documents beside their tests.
const GOLDEN = Object.entries(SAMPLES).filter(([name]) =>
  /^(plan|applied)$/.test(name),
);

test.each(GOLDEN)('%s as JSON', (name, document) => {
  expectGolden(`${name}.json`, rendered('json', document));
});
