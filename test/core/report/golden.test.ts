import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import { PLAIN, type View } from '../../../src/core/report/report.ts';
import { renderLists } from '../../../src/core/report/text/list.ts';
import { renderShown } from '../../../src/core/report/text/show.ts';
import { validate } from '../../../src/generated/plan-validator.js';
import { FORMATS, rendered } from '../../support/rendered.ts';
import { LISTS, SAMPLES, SHOWN } from './samples.ts';

const FOLDER = 'test/core/report/golden';

// UPDATE_GOLDEN=1 writes them anew; the difference is then to be read.
function expectGolden(name: string, fresh: string): void {
  const path = `${FOLDER}/${name}`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, fresh);
  } else expect(fresh).toBe(readFileSync(path, 'utf8'));
}

/** Each colour as its name around the text. */
const NAMED = Object.fromEntries(
  Object.keys(PLAIN).map((name) => [
    name,
    (text: string) => `<${name}>${text}</>`,
  ]),
) as unknown as View['paint'];

/** The ways in which a person may see the text. */
const VIEWS: Readonly<Record<string, Partial<View>>> = {
  text: {},
  full: { full: true, verbose: true, width: 200 },
  narrow: { width: 32, verbose: true },
  painted: { paint: NAMED },
  outcomes: { outcomes: true, paint: NAMED },
};

/** A text in each view. */
function inViews(render: (view: View) => string): string {
  const views = Object.entries(VIEWS).map(
    ([view, own]) => [view, { paint: PLAIN, width: 80, ...own }] as const,
  );
  return views.map(([name, view]) => `== ${name}\n${render(view)}`).join('\n');
}

describe.each(Object.entries(SAMPLES))('%s', (name, document: Document) => {
  test('the sample has the shape of the schema', () => {
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });
  // Pages have golden files of their own, in page/.
  test.each(FORMATS.filter((format) => format !== 'text' && format !== 'html'))(
    'as %s',
    (format) => {
      expectGolden(`${name}.${format}`, rendered(format, document));
    },
  );
  test('as text', () => {
    const shown = Object.entries(VIEWS).map(
      ([view, own]) => `== ${view}\n${rendered('text', document, own)}`,
    );
    expectGolden(`${name}.text`, shown.join('\n'));
  });
  test.each(FORMATS)(
    'a saved document as %s is that of the fresh one',
    (format) => {
      const saved = JSON.parse(rendered('json', document));
      expect(rendered(format, saved)).toBe(rendered(format, document));
    },
  );
});

test.each(Object.entries(SHOWN))('what show finds: %s', (name, shown) => {
  const unread = shown.servers.filter(({ isRead }) => !isRead);
  const withoutCredentials = unread.map((server) => server.name);
  expectGolden(
    `show-${name}.text`,
    inViews((view) => renderShown(shown, { ...view, withoutCredentials })),
  );
});

test('lists of integrations and of errors', () => {
  expectGolden(
    'lists.text',
    inViews((view) => renderLists(LISTS, view)),
  );
});
