import { test } from 'vitest';
import { renderComment } from '../../../../src/core/report/comment/comment.ts';
import { expectGolden } from '../../../support/golden.ts';
import { SAMPLES } from '../samples.ts';

const RICH = Object.entries(SAMPLES).filter(([name]) =>
  ['plan', 'applied', 'values'].includes(name),
);

test.each(RICH)('a comment: %s', (name, document) => {
  expectGolden(`${name}.markdown`, renderComment(document));
});
