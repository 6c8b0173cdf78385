import { describe, test } from 'vitest';
import { expectGolden } from '../../../support/golden.ts';
import { rendered } from '../../../support/rendered.ts';
import { SAMPLES } from '../samples.ts';

const FORMATS = ['github', 'gitlab', 'junit', 'sarif'] as const;

const RICH = Object.entries(SAMPLES).filter(([name]) =>
  ['plan', 'applied'].includes(name),
);

describe.each(RICH)('%s', (name, document) => {
  test.each(FORMATS)('as %s', (format) => {
    expectGolden(`${name}.${format}`, rendered(format, document));
  });
});
