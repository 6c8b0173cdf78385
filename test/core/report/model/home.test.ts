import { expect, test } from 'vitest';
import { filesElsewhere } from '../../../../src/core/report/model/home.ts';
import { modelOf } from '../../../../src/core/report/model/model.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../../support/documents.ts';

/** The files that rows must name, if their changes are in these files. */
function named(files: readonly string[]): string[][] {
  const changes = files.map((file, at) =>
    changeOf('vt', at + 1, {
      address: `vt.options.o${at}.value`,
      source: { file, line: at + 1, column: 1 },
    }),
  );
  const server = serverOf('only', [integrationOf('vt', changes)]);
  const [section] = modelOf(documentWith([server])).sections;
  const [card] = section?.cards ?? [];
  return card?.rows.map((row) => filesElsewhere(row, card)) ?? [];
}

test.each([
  [
    ['a.yaml', 'a.yaml'],
    [[], []],
  ],
  [
    ['base/vt.yaml', 'prod/vt.yaml'],
    [[], []],
  ],
  [
    ['base/vt.yaml', 'base/vt.yaml', 'prod.yaml'],
    [[], [], ['prod.yaml']],
  ],
])('of changes in %j, rows name %j', (files, expected) => {
  expect(named(files)).toEqual(expected);
});
