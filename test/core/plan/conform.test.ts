import { describe, expect, test } from 'vitest';
import type { ValueSetting } from '../../../src/core/model/desired.ts';
import { present } from '../../../src/core/model/json.ts';
import type { LiveOption } from '../../../src/core/model/live.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  type OptionValue,
  type Scalar,
  type WrittenValue,
} from '../../../src/core/model/value.ts';
import { conform, writtenForm } from '../../../src/core/plan/conform.ts';
import { liveOption, MASKED, readable } from '../../support/live.ts';

const at = (line: number) => ({ file: 'a.yaml', line, column: 1 });

/** What becomes of a written value: the value to send, or why it does not fit. */
function conformed(
  value: WrittenValue,
  option: Partial<LiveOption>,
  desired: Partial<ValueSetting> = {},
) {
  const member = (each: Scalar | Choice) =>
    isChoice(each) ? each : { display: String(each), value: String(each) };
  const plain = isChoiceList(value) ? value.map(member) : value;
  const want = { kind: 'literal', value: plain } as const;
  const setting = { want, place: at(1), ...desired };
  const found = conform(setting, liveOption('o', option));
  if ('value' in found) return found.value;
  const { misfit, type, choices, place } = found;
  return { misfit, type, choices, line: place.line };
}

const MISFIT = expect.objectContaining({ misfit: true });
const fast = { display: 'Fast', value: 'f' };
const slow = { display: 'Slow', value: 's' };

describe('a text becomes a number where it is the usual form of one', () => {
  test.each<[WrittenValue, unknown]>([
    [5, 5],
    ['5', 5],
    [' 8080\n', 8080],
    ['-0.5', -0.5],
    ['0', 0],
    ['007', MISFIT],
    ['1.50', MISFIT],
    ['1e5', MISFIT],
    ['9007199254740993', MISFIT],
    ['', MISFIT],
    [true, MISFIT],
    [[5], MISFIT],
  ])('%j', (written, expected) => {
    expect(conformed(written, { type: 'number' })).toEqual(expected);
  });
});

describe('a text becomes a boolean where it is its word', () => {
  test.each<[WrittenValue, unknown]>([
    [false, false],
    ['true', true],
    ['TRUE', MISFIT],
    [1, MISFIT],
    [[true], MISFIT],
  ])('%j', (written, expected) => {
    expect(conformed(written, { type: 'boolean' })).toEqual(expected);
  });
});

describe('a choice has the display', () => {
  const live = { display: 'As it is live', value: 'x' };
  const mine = { display: 'Mine', value: 'f' };
  const hidden: Partial<LiveOption> = { value: MASKED };
  test.each<{
    name: string;
    written: WrittenValue;
    option: Partial<LiveOption>;
    expected: unknown;
  }>([
    {
      name: 'that the option lists',
      written: 'f',
      option: { choices: [slow, fast] },
      expected: fast,
    },
    {
      name: 'of the live value, where none is listed',
      written: 'x',
      option: { value: readable(live) },
      expected: live,
    },
    {
      name: 'of its value, where it is nowhere',
      written: 'y',
      option: { value: readable(live) },
      expected: { display: 'y', value: 'y' },
    },
    {
      name: 'that is written',
      written: mine,
      option: { choices: [fast] },
      expected: mine,
    },
    {
      name: 'of its value, in a list, where nobody knows whether it takes several',
      written: ['x'],
      option: hidden,
      expected: [{ display: 'x', value: 'x' }],
    },
    {
      name: 'of none, in a list where one is live',
      written: ['x'],
      option: { value: readable(live) },
      expected: MISFIT,
    },
    {
      name: 'of none, as a text where several are taken',
      written: 'x',
      option: { multiple: true },
      expected: MISFIT,
    },
  ])('$name', ({ written, option, expected }) => {
    expect(conformed(written, { type: 'select', ...option })).toEqual(expected);
  });
});

describe('a choice that is not listed', () => {
  const many = {
    type: 'select',
    multiple: true,
    choices: [fast, slow],
  } as const;
  const MISLISTED = { misfit: true, type: undefined, choices: ['f', 's'] };
  test('is told at its own line in a list', () => {
    const members = [at(2), at(3), at(4)];
    expect(conformed(['f', 'x', 'y'], many, { members })).toEqual({
      ...MISLISTED,
      line: 3,
    });
    expect(conformed(['f', 'x'], many)).toEqual({ ...MISLISTED, line: 1 });
  });
  test('is nothing that a text, a number or a switch could hold', () => {
    const hidden = { value: MASKED };
    for (const type of ['text', 'number', 'boolean']) {
      expect(conformed({ ...fast }, { type, ...hidden })).toEqual(MISFIT);
      expect(conformed(['f'], { type, ...hidden })).toEqual(MISFIT);
    }
  });
});

const choices = [
  { value: 'ip', display: 'Address' },
  { value: '2', display: '2' },
];

describe('what an option holds, as YAML writes it', () => {
  test.each<[Partial<LiveOption>, OptionValue, WrittenValue | undefined]>([
    [{ type: 'boolean' }, '1', true],
    [{ type: 'boolean' }, 'False', false],
    [{ type: 'boolean' }, 'maybe', undefined],
    [{ type: 'number' }, '42.0', 42],
    [{ type: 'number' }, '9007199254740993', undefined],
    [{ type: 'number' }, '9007199254740991', 9007199254740991],
    [{ type: 'number' }, 9007199254740992, 9007199254740992],
    [{ type: 'text' }, 42, '42'],
    [{}, 42, 42],
    [{ type: 'select', choices }, { value: 'ip', display: 'Address' }, 'ip'],
    [{ type: 'select', choices }, { value: 'ip', display: 'Old' }, 'ip'],
    [{ type: 'select', choices }, { value: 'url', display: 'URL' }, undefined],
    [
      { type: 'select' },
      { value: 'url', display: 'URL' },
      { value: 'url', display: 'URL' },
    ],
    [{ type: 'select' }, { value: 'url', display: 'url' }, 'url'],
    [{ type: 'select', choices }, 'ip', 'ip'],
    [
      { type: 'select', multiple: true, choices },
      [...choices].reverse(),
      ['2', 'ip'],
    ],
  ])('%j %j', ({ type, ...option }, held, written) => {
    const { type: _, ...live } = liveOption('k', {
      ...option,
      value: readable(held),
    });
    expect(writtenForm(held, { ...live, ...present({ type }) })).toEqual(
      written,
    );
  });
});
