import { expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import { expectGolden } from '../../../support/golden.ts';
import { endedApply, richPlan } from '../../../support/page-documents.ts';

/** A page without its style and script, and without their hashes. */
function pageOf(document: Document): string {
  return renderPage(document, { paint: PLAIN, width: 80 })
    .replace(/(?<=<(style|script)>).*?(?=<\/\1>)/gs, '')
    .replace(/sha256-[\w+/=]+/g, 'sha256-');
}

test.each([
  ['plan', richPlan()],
  ['applied', endedApply()],
])('%s as a page', (name, document) => {
  expectGolden(`${name}.html`, pageOf(document));
});

test('a saved document makes the same page', () => {
  const saved = JSON.parse(JSON.stringify(richPlan()));
  expect(pageOf(saved)).toBe(pageOf(richPlan()));
});
