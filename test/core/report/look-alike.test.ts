import { expect, test } from 'vitest';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../support/documents.ts';
import { FORMATS, rendered } from '../../support/rendered.ts';

const COMPOSED = 'Z\u00fcrich';
const DECOMPOSED = 'Zu\u0308rich';
const NUMBERED = ['Z[U+00FC]rich', 'Zu[U+0308]rich'];

const LONG = 'x '.repeat(200);

const choice = (value: string) => ({ display: 'x', value });

const changes = [
  { before: COMPOSED, after: DECOMPOSED },
  { before: `${COMPOSED}\nb\nc`, after: `${DECOMPOSED}\nB\nc` },
  { before: `${LONG}${COMPOSED}`, after: `${LONG}${DECOMPOSED}` },
  { before: choice(COMPOSED), after: choice(DECOMPOSED) },
  {
    before: [choice('b'), choice(COMPOSED)],
    after: [choice('b'), choice(DECOMPOSED)],
  },
  {
    before: COMPOSED,
    after: 'Genf',
    base: DECOMPOSED,
    label: 'conflict' as const,
  },
].map((own, at) =>
  changeOf('vt', at + 1, { address: `vt.options.o${at}.value`, ...own }),
);

/** A change of each form of a value; the last in conflict. */
const DOCUMENT = documentWith([
  serverOf('prod', [integrationOf('vt', changes)]),
]);

/** How often a text stands in another one. */
const countOf = (part: string, text: string) => text.split(part).length - 1;

test.each(FORMATS)('texts that look alike are told apart in %s', (format) => {
  const marks = format === 'html' ? /<[^>]*>/g : '';
  const page = rendered(format, DOCUMENT).replaceAll(marks, '');
  const found = [...NUMBERED, COMPOSED, DECOMPOSED].map((text) =>
    Math.min(6, countOf(text, page)),
  );
  expect(found).toEqual(format === 'json' ? [0, 0, 6, 6] : [6, 6, 0, 0]);
});
