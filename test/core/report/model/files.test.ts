import { expect, test } from 'vitest';
import { filesText } from '../../../../src/core/report/model/files.ts';

test.each<[string[], string[]]>([
  [[], []],
  [['a.yaml'], ['a.yaml']],
  [['i/staging/s.yaml', 'i/prod/s.yaml'], ['i/{staging,prod}/s.yaml']],
  [['i/a.yaml', 'i/b.yaml'], ['i/{a,b}.yaml']],
  [['i/a.yaml', 'i/b.yml'], ['i/{a.yaml,b.yml}']],
  [
    ['i/a.yaml', 'j/b.yaml'],
    ['i/a.yaml', 'j/b.yaml'],
  ],
  [
    ['a.yaml', 'i/a.yaml'],
    ['a.yaml', 'i/a.yaml'],
  ],
  [
    ['1', '2', '3', '4', '5'],
    ['1', '2', '3', '4', '5'],
  ],
])('%j is %j', (files, expected) => {
  expect(filesText(files)).toEqual(expected);
});
