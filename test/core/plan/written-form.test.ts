import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { OptionValue, WrittenValue } from '../../../src/core/model/value.ts';
import { writtenForm } from '../../../src/core/plan/conform.ts';

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
    [{ type: 'text' }, 42, '42'],
    [{}, 42, 42],
    [{ type: 'select', choices }, { value: 'ip', display: 'Address' }, 'ip'],
    [{ type: 'select', choices }, { value: 'ip', display: 'Old' }, 'ip'],
    [{ type: 'select', choices }, { value: 'url', display: 'URL' }, undefined],
    [{ type: 'select' }, { value: 'url', display: 'URL' }, { value: 'url', display: 'URL' }],
    [{ type: 'select', choices }, 'ip', 'ip'],
    [{ type: 'select', multiple: true, choices }, [...choices].reverse(), ['ip', '2']],
  ])('%j %j', (option, held, written) => {
    const live = {
      key: 'k',
      permission: 'unlock',
      choices: [],
      value: { kind: 'readable', value: held },
      ...option,
    };
    expect(writtenForm(held, live as LiveOption)).toEqual(written);
  });
});
