import { expect, test } from 'vitest';
import {
  askedSide,
  type ValueSetting,
} from '../../../src/core/model/desired.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { isSameSide } from '../../../src/core/model/side.ts';

const PLACE = { file: 'a.yaml', line: 1, column: 1 };

const FROM_FILE: ValueSetting = {
  kind: 'value',
  want: { kind: 'unread', written: '${file:a}', unset: [] },
  place: PLACE,
};

const literal = (value: string): Partial<ValueSetting> => {
  return { want: { kind: 'literal', value } };
};
const unread = (written: string): Partial<ValueSetting> => {
  return { want: { kind: 'unread', written, unset: [] } };
};
const resolved = (value: string, written: string): Partial<ValueSetting> => {
  return { want: { kind: 'resolved', value: hide(value), written } };
};
const withFile = (path: string, digest: string): Partial<ValueSetting> => {
  return { files: new Map([[path, digest]]) };
};
const A = '${env:A}';

test.each<[string, boolean, Partial<ValueSetting>, Partial<ValueSetting>]>([
  ['the same text', true, literal('x'), literal('x')],
  ['the same reference', true, resolved('1', A), resolved('2', A)],
  ['one that one side has not read', true, unread(A), resolved('2', A)],
  ['another one', false, resolved('1', A), resolved('1', '${env:B}')],
  ['the text of a reference', false, literal(A), unread(A)],
  ['a file of one content', true, withFile('a', '1'), withFile('a', '1')],
  ['a file that one side knows', true, withFile('a', '1'), {}],
  ['another file', true, withFile('a', '1'), withFile('b', '2')],
])('two declarations with %s ask for the same: %s', (_, isSame, one, other) => {
  const side = askedSide({ ...FROM_FILE, ...one });
  const otherSide = askedSide({ ...FROM_FILE, ...other });
  expect(isSameSide(side, otherSide)).toBe(isSame);
  expect(isSameSide(otherSide, side)).toBe(isSame);
});
