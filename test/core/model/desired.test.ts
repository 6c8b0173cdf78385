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

test.each<{
  name: string;
  one: Partial<ValueSetting>;
  other: Partial<ValueSetting>;
  isSame: boolean;
}>([
  {
    name: 'the same text',
    one: { want: { kind: 'literal', value: 'x' } },
    other: { want: { kind: 'literal', value: 'x' } },
    isSame: true,
  },
  {
    name: 'the same reference',
    one: { want: { kind: 'resolved', value: hide('1'), written: '${env:A}' } },
    other: {
      want: { kind: 'resolved', value: hide('2'), written: '${env:A}' },
    },
    isSame: true,
  },
  {
    name: 'a reference that one side has not read',
    one: { want: { kind: 'unread', written: '${env:A}', unset: [] } },
    other: {
      want: { kind: 'resolved', value: hide('2'), written: '${env:A}' },
    },
    isSame: true,
  },
  {
    name: 'another reference of the same value',
    one: { want: { kind: 'resolved', value: hide('1'), written: '${env:A}' } },
    other: {
      want: { kind: 'resolved', value: hide('1'), written: '${env:B}' },
    },
    isSame: false,
  },
  {
    name: 'the text of a reference',
    one: { want: { kind: 'literal', value: '${env:A}' } },
    other: { want: { kind: 'unread', written: '${env:A}', unset: [] } },
    isSame: false,
  },
  {
    name: 'a file with the same content',
    one: { files: new Map([['a', '1']]) },
    other: { files: new Map([['a', '1']]) },
    isSame: true,
  },
  {
    name: 'a file that one side knows',
    one: { files: new Map([['a', '1']]) },
    other: {},
    isSame: true,
  },
  {
    name: 'another file',
    one: { files: new Map([['a', '1']]) },
    other: { files: new Map([['b', '2']]) },
    isSame: true,
  },
])(
  'two declarations with $name ask for the same: $isSame',
  ({ one, other, isSame }) => {
    const side = askedSide({ ...FROM_FILE, ...one });
    const otherSide = askedSide({ ...FROM_FILE, ...other });
    expect(isSameSide(side, otherSide)).toBe(isSame);
    expect(isSameSide(otherSide, side)).toBe(isSame);
  },
);
