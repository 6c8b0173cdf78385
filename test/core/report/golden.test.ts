import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan-document.ts';
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

/** A report; a page without its style and script, and without their hashes. */
function withoutAssets(report: string): string {
  return report
    .replace(/(?<=<(style|script)>).*?(?=<\/\1>)/gs, '')
    .replace(/sha256-[\w+/=]+/g, 'sha256-');
}

// Texts have golden documents in several widths.
const GOLDEN = [
  ...FORMATS.filter((format) => format !== 'text').flatMap((format) => [
    ['plan', format] as const,
    ['applied', format] as const,
  ]),
  ['values', 'markdown'] as const,
];

test.each(GOLDEN)('%s as %s', (name, format) => {
  const document = SAMPLES[name];
  if (document === undefined) throw new Error(`no sample ${name}`);
  expectGolden(`${name}.${format}`, withoutAssets(rendered(format, document)));
});
