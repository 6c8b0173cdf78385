import { describe, expect, test } from 'vitest';
import { equalValues, type OptionValue, sameContent } from '../../../src/core/model/value.ts';
import { onlyDifference } from '../../../src/core/plan/normalised.ts';

const choice = (value: string) => ({ value, display: `The ${value} one` });

describe('forms in which a server may store one value', () => {
  test.each<[string, OptionValue, OptionValue, string | undefined, boolean]>([
    ['true as 1', 1, true, 'boolean', true],
    ['true as text', 'True', true, 'boolean', true],
    ['false as 0', '0', false, 'boolean', true],
    ['true is not false', 1, false, 'boolean', false],
    ['another number is no boolean', 2, true, 'boolean', false],
    ['1 is no boolean in a text', '1', 'true', 'text', false],
    ['a number with a fraction of zeros', '42.0', 42, 'number', true],
    ['a number with zeros in front', '042', 42, 'number', true],
    ['another number', '42.5', 42, 'number', false],
    ['a version is no number', '1.10', '1.1', 'text', false],
    ['nor where the type is not served', '1.10', '1.1', undefined, false],
    ['many digits with a fraction of zeros', '1234567890123456.0', 1_234_567_890_123_456, 'number', true],
    ['nothing below none', '-0.0', 0, 'number', true],
    ['another sign', '-42.0', 42, 'number', false],
    ['zeros that count', '100', 10, 'number', false],
    ['more digits than a number holds', '9007199254740993', '9007199254740992', 'number', false],
    ['a type named like what every object has', 'a', 'a', 'constructor', true],
    ['choices in another order', [choice('a'), choice('b')], [choice('b'), choice('a')], 'select', true],
  ])('%s', (_, live, desired, type, isEqual) => {
    expect(equalValues(live, desired, type)).toBe(isEqual);
  });
  test('a list without choices is as good as no value', () => {
    expect([sameContent([], null), sameContent(null, []), sameContent([choice('a')], null)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what alone differs', () => {
  test.each<[OptionValue, OptionValue, string | undefined]>([
    ['https://x.example', 'https://x.example/', 'a slash at its end'],
    ['key', ' key\n', 'blanks around it'],
    ['a\nb', 'a\r\nb\r\n', 'its line ends'],
    ['Fast', 'fast', 'capitals'],
    ['e\u0301', '\u00e9', 'the form of Unicode'],
    ['{"a":1}', '{ "a": 1 }', 'how it is written as JSON'],
    [choice('A'), choice('a'), 'capitals'],
    ['a', 'b', undefined],
    ['{"a":1}', '{"a":2}', undefined],
    [[choice('a')], [choice('A')], 'capitals'],
    [[choice('IP'), choice('URL')], [choice('url'), choice('ip')], 'capitals'],
    [[choice('a'), choice('b')], [choice('A')], undefined],
    [[choice('a')], 'A', undefined],
    ['https://api.example.com/', 'https://API.Example.com', 'a slash at its end and capitals'],
    [' {"a": "B"}', '{"a":"b"}', 'capitals and how it is written as JSON'],
    ['a\n\u00e9\n', 'A\r\ne\u0301', 'the form of Unicode, its line ends and capitals'],
    [42, '42.0', 'the form of a number'],
    ['42', ' 42.0', 'blanks around it and the form of a number'],
    [' 7', 7, 'blanks around it'],
    ['"a"', ' "a"', 'blanks around it'],
    ['1', '2', undefined],
  ])('%j and %j: %s', (one, other, what) => {
    expect([onlyDifference(one, other), onlyDifference(other, one)]).toEqual([what, what]);
  });
});
