import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { validate } from '../../../src/generated/plan-validator.js';
import { FORMATS, rendered } from '../../support/rendered.ts';
import { SAMPLES } from './samples.ts';

const FOLDER = 'test/core/report/golden';

// UPDATE_GOLDEN=1 writes them anew; the difference is then to be read.
function expectGolden(name: string, fresh: string): void {
  const path = `${FOLDER}/${name}`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, fresh);
  } else expect(fresh).toBe(readFileSync(path, 'utf8'));
}

describe.each(Object.entries(SAMPLES))('%s', (name, document: Document) => {
  test('the sample has the shape of the schema', () => {
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });
  test.each(FORMATS.filter((format) => format !== 'text'))(
    'as %s',
    (format) => {
      expectGolden(`${name}.${format}`, rendered(format, document));
    },
  );
  test.each(FORMATS)(
    'a saved document as %s is that of the fresh one',
    (format) => {
      const saved = JSON.parse(rendered('json', document));
      expect(rendered(format, saved)).toBe(rendered(format, document));
    },
  );
});
