import { expect, test } from 'vitest';
import { modelOf } from '../../../../src/core/report/model/model.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../../support/documents.ts';

/** The values after the changes of an integration on two servers. */
function shownOf(
  first: string,
  second: string,
  value: (name: string) => string,
) {
  const servers = [first, second].map((name) =>
    serverOf(name, [
      integrationOf('a', [changeOf('a', 3, { after: value(name) })]),
    ]),
  );
  const { sections } = modelOf(documentWith(servers));
  return sections.flatMap(({ cards }) =>
    cards.flatMap(({ rows }) => rows.map(({ change }) => change.after)),
  );
}

test.each([
  ['eu-1', 'us-2'],
  ['a.example:8443', 'b.example:8443'],
  ['a_b', 'c_d'],
  ['(a', '[b'],
  ['a\\', '^b$'],
  ['a|b', 'c/d'],
])('values that differ only by %s and %s are one row', (first, second) => {
  const shown = shownOf(first, second, (name) => `https://x/${name}/y`);
  expect(shown).toEqual([`https://x/{${first},${second}}/y`]);
});

test('a name inside a word is not that of a server', () => {
  const shown = shownOf('eu', 'us', (name) => `x${name}`);
  expect(shown).toEqual(['xeu', 'xus']);
});
