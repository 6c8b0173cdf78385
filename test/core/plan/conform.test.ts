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

test('a text becomes a number where it is the usual form of one, a boolean where it is its word', () => {
  const number = (written: WrittenValue) =>
    conformed(written, { type: 'number' });
  const numbers = [5, '5', ' 8080\n', '-0.25', '0'].map(number);
  expect(numbers).toEqual([5, 5, 8080, -0.25, 0]);
  for (const written of ['007', '1.50', '1e5', '9007199254740993', '', true])
    expect(number(written)).toEqual(MISFIT);
  expect(number([5])).toEqual(MISFIT);
  const flag = (written: WrittenValue) =>
    conformed(written, { type: 'boolean' });
  expect([false, 'true'].map(flag)).toEqual([false, true]);
  for (const written of ['TRUE', 1, [true]])
    expect(flag(written)).toEqual(MISFIT);
});

test('a text alone is told; what is not read is a text', () => {
  const found = (value: OptionValue) => {
    const setting = { want: { kind: 'literal', value }, place: at(1) } as const;
    return conform(setting, liveOption('o', { type: 'number' }));
  };
  expect(found('x')).toMatchObject({ misfit: true, written: 'x' });
  expect(found([fast])).toMatchObject({ misfit: true, written: undefined });
  const want = { kind: 'unread', written: '${env:A}', unset: [] } as const;
  expect(conformed('', { type: 'number' }, { want })).toBe(want.written);
  expect(conformed([fast], { type: undefined })).toEqual([fast]);
});

describe('a choice has the display', () => {
  const live = { display: 'As it is live', value: 'x' };
  const held = { value: readable(live) };
  const chosen = (written: WrittenValue, option: Partial<LiveOption>) =>
    conformed(written, { type: 'select', ...option });
  test('that is written, listed, or live; else its value', () => {
    const mine = { display: 'Mine', value: 'f' };
    expect(chosen(mine, { choices: [fast] })).toEqual(mine);
    for (const written of ['f', { value: 'f', display: 'f' }])
      expect(chosen(written, { choices: [slow, fast] })).toEqual(fast);
    expect(chosen('x', held)).toEqual(live);
    expect(chosen('y', held)).toEqual({ display: 'y', value: 'y' });
  });
  test('in a list, if several are taken or nobody knows', () => {
    const list = [{ display: 'x', value: 'x' }];
    expect(chosen(['x'], { value: MASKED })).toEqual(list);
    expect(chosen(['x'], held)).toEqual(MISFIT);
    const single = { multiple: false, value: MASKED };
    expect(chosen(['x'], single)).toEqual(MISFIT);
    expect(chosen('true', { multiple: true })).toEqual(MISFIT);
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
    [{ type: 'number' }, '9007199254740992', '9007199254740992'],
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
