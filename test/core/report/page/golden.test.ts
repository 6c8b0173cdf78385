import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import { endedApply, richPlan } from '../../../support/page-documents.ts';

const FOLDER = 'test/core/report/golden';

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
  const path = `${FOLDER}/${name}.html`;
  const page = pageOf(document);
  // UPDATE_GOLDEN=1 writes it anew; the difference is then to be read.
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, page);
  else expect(page).toBe(readFileSync(path, 'utf8'));
});

test('a saved document makes the same page', () => {
  const saved = JSON.parse(JSON.stringify(richPlan()));
  expect(pageOf(saved)).toBe(pageOf(richPlan()));
});
