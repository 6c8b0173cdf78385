import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import { accepting, planOf } from '../../support/accepting.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const choices = ['fast', 'slow', 'ip', 'url', 'domain'].map((value) => ({
  value,
  display: value.toUpperCase(),
}));

/** The text of an own file after all drift of one integration is taken back; checks that none is left. */
function taken(
  text: string,
  options: Readonly<Record<string, Partial<LiveOption>>>,
  autosubscribe = false,
) {
  const live = [
    liveIntegration(
      'vt',
      Object.entries(options).map(([key, changes]) => liveOption(key, changes)),
      { autosubscribe },
    ),
  ];
  const server = { name: 'one', layers: [['a.yaml']], live };
  const { texts, diagnostics } = accepting([server], { 'a.yaml': text });
  expect(diagnostics).toEqual([]);
  expect(
    planOf(server, texts).integrations.flatMap(({ changes }) => changes),
  ).toEqual([]);
  return texts['a.yaml'];
}

const text = (value: string): Partial<LiveOption> => ({
  value: readable(value),
});
const of = (type: string, value: OptionValue): Partial<LiveOption> => ({
  type,
  value: readable(value),
});
const many = (...values: string[]): Partial<LiveOption> => ({
  type: 'select',
  multiple: true,
  choices,
  value: readable(choices.filter(({ value }) => values.includes(value))),
});
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const file = (...options: string[]) =>
  lines(
    'version: 1',
    'integrations:',
    '  vt:',
    '    options:',
    ...options.map((line) => (line === '@' ? '' : `      ${line}`)),
  );

describe('a value takes the place of another one in its style', () => {
  test.each<[string, string[], Partial<LiveOption>, string[]]>([
    ['plain', ['k: old # why'], text('new'), ['k: new # why']],
    [
      'a choice that the option does not list',
      ['k: old'],
      of('select', { display: 'Own team', value: 'own' }),
      ['k: { value: own, display: Own team }'],
    ],
    ['text that reads as a number', ['k: old'], text('007'), ['k: "007"']],
    ['double quotes', ['k: "old"'], text('new'), ['k: "new"']],
    ['single quotes', ["k: 'old'"], text("it's"), ["k: 'it''s'"]],
    [
      'plain text that gets lines',
      ['k: old'],
      text('a\n\n  b'),
      ['k: "a\\n\\n  b"'],
    ],
    [
      'the same with a comment behind it',
      ['k: old # why'],
      text('a\nb'),
      ['k: "a\\nb" # why'],
    ],
    [
      'block text',
      ['k: |', '    old', '    text', '# c'],
      text('a\nb\n'),
      ['k: |', '  a', '  b', '# c'],
    ],
    [
      'folded text',
      ['k: >', '  a', '  b'],
      text('c\nd'),
      ['k: |-', '  c', '  d'],
    ],
    [
      'text over several lines',
      ['k: "a', '  b" # c'],
      text('d'),
      ['k: "d" # c'],
    ],
    [
      'the long form',
      ['k: { value: old, permission: lock-and-hide } # c'],
      text('a, b'),
      ['k: { value: "a, b", permission: lock-and-hide } # c'],
    ],
    ['a literal reference', ['k: old'], text('${env:X}'), ['k: $${env:X}']],
    ['nothing', ['k: old'], text(''), ['k: ""']],
    [
      'a list in one line',
      ['k: [ ip, url ] # c'],
      many('url', 'domain'),
      ['k: [url, domain] # c'],
    ],
    ['a list that is empty', ['k: []'], many('url'), ['k: [url]']],
    [
      'dashes',
      ['k:', '- ip', '- url', 'l: 1'],
      many('ip', 'domain'),
      ['k:', '- ip', '- domain', 'l: 1'],
    ],
    [
      'a list with dashes, empty',
      ['k:', '  - ip', 'l: 1'],
      many(),
      ['k: []', 'l: 1'],
    ],
  ])('%s', (_, before, option, after) => {
    const others = { j: text('x'), l: text('1') };
    const used = Object.fromEntries(
      Object.entries(others).filter(([key]) =>
        before.join('\n').includes(`${key}:`),
      ),
    );
    expect(taken(file(...before), { ...used, k: option })).toBe(file(...after));
  });
});
