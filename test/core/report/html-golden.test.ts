import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reportScript, reportStyle } from '../../../src/generated/report-page.ts';
import { planSamples } from '../../support/html-plans.ts';
import { rendered } from '../../support/rendered.ts';

const FOLDER = 'test/core/report/golden-html';

/** A file longer than this is kept as its digest. */
const LONGEST = 100_000;

/** The page of a sample, without the script and the style: they are files of their own. */
function pageOf(name: string): string {
  const { servers = [], findings = [] } = planSamples()[name] ?? {};
  return [reportScript, reportStyle].reduce(
    (page, { text, hash }, index) =>
      page.replace(text, () => `(text ${index})`).replace(hash, `(hash ${index})`),
    rendered('html', { kind: 'plan', servers, isComplete: true }, findings),
  );
}

// UPDATE_GOLDEN=1 writes them anew; the difference is then to be read.
test.each(['empty', 'one-change', 'all-labels', 'three-servers', '3000-changes'])(
  'the page of %s is the one that was looked at',
  (name) => {
    const page = pageOf(name);
    const digest = `sha256 ${createHash('sha256').update(page).digest('hex')}, ${page.length} characters\n`;
    const [path, shown] =
      page.length > LONGEST ? [`${FOLDER}/${name}.digest`, digest] : [`${FOLDER}/${name}.html`, page];
    if (process.env['UPDATE_GOLDEN'] === '1') {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(path, shown);
    }
    expect(shown).toBe(readFileSync(path, 'utf8'));
  },
);

test('a page of 3,000 changes has all of them, closed', () => {
  const page = pageOf('3000-changes');
  expect(page.match(/<article /g)).toHaveLength(3000);
  expect(page).toContain('Plan: 3000 differences in 300 integrations on 3 servers');
  expect(page).not.toMatch(/<details class="group" open/);
});
