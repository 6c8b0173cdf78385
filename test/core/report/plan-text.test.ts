import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import type { Outcome } from '../../../src/core/plan/outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../../src/core/plan/plan.ts';
import { PLAIN } from '../../../src/core/report/paint.ts';
import { renderPlans } from '../../../src/core/report/text/plan.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const INTEGRATION: IntegrationPlan = {
  name: 'vt',
  id: 'vt',
  status: 'running',
  blocked: false,
  cannotTell: [],
  unmanagedOptions: 0,
  changes: [],
};

function rendered(plan: Partial<ServerPlan>): string[] {
  const whole = { name: 's', url: 'https://s', summary: SUMMARY, integrations: [INTEGRATION], ...plan };
  return renderPlans([whole], { paint: PLAIN, width: 80, findings: [] }).split('\n');
}

const cannotTell = [
  { address: 'vt.options.k.value', reason: 'masked', source: { file: 'a.yaml', line: 1, column: 1 } },
] as const;

/** The lines that show how one value becomes another. */
function shown(before: OptionValue, after: OptionValue): string[] {
  const change: Change = {
    address: 'vt.options.o.value',
    field: 'value',
    option: 'o',
    label: 'change',
    risks: [],
    source: { file: 'a.yaml', line: 1, column: 1 },
    before,
    after,
    sensitive: false,
  };
  const lines = rendered({
    summary: { ...SUMMARY, changed: 1, changes: 1, writes: 1 },
    integrations: [{ ...INTEGRATION, changes: [change] }],
  });
  return lines.slice(3, lines.indexOf('', 3));
}

test('a comment stands below its change, on one line', () => {
  const change: Change = {
    address: 'vt.autosubscribe',
    field: 'autosubscribe',
    label: 'change',
    risks: [],
    source: { file: 'a.yaml', line: 1, column: 1 },
    comment: `see SEC-1 ${'x'.repeat(90)}`,
    before: false,
    after: true,
    sensitive: false,
  };
  const lines = rendered({ integrations: [{ ...INTEGRATION, changes: [change] }] });
  const comment = lines[lines.findIndex((line) => line.includes('autosubscribe')) + 1];
  expect(comment).toMatch(/^ {6}# see SEC-1 x+…$/);
  expect(comment).toHaveLength(80);
});

describe('the head of a plan', () => {
  test.each([
    ['localhost:4500', 'http://localhost:4500/api', 'http://localhost:4500/api'],
    ['local', 'http://localhost:4500', 'local  http://localhost:4500'],
    ['http', 'http://localhost:4500', 'http  http://localhost:4500'],
  ])('of the server %s at %s', (name, url, head) => {
    expect(rendered({ name, url })[0]).toBe(head);
  });
});

describe('the summary of an apply that changed nothing', () => {
  const applied = (...outcomes: readonly Outcome[]) =>
    rendered({
      summary: { ...SUMMARY, cannotTell: 1 },
      integrations: outcomes.map((outcome) => ({ ...INTEGRATION, cannotTell, outcome })),
    }).join('\n');
  test('does not call it as desired where an integration is not', () => {
    expect(applied('stale', 'verified')).not.toMatch(/as desired/);
    expect(applied('verified')).toContain('No changes: 1 field is as desired, 1 field cannot be seen.');
  });
  test('gives no advice for a plan that has yet to be applied', () => {
    const integrations = [{ ...INTEGRATION, cannotTell }];
    expect(rendered({ summary: { ...SUMMARY, cannotTell: 1 }, integrations }).join('\n')).toContain(
      '--write-hidden',
    );
    expect(applied('verified')).not.toContain('--write-hidden');
  });
});

const long = 'abcdefghij'.repeat(60);

describe('two values that differ look different', () => {
  test('late in one long line', () => {
    const [, removed = '', added = ''] = shown(`${long}1`, `${long}2`);
    expect([removed, added].map((line) => line.includes('hij1') || line.includes('hij2'))).toEqual([
      true,
      true,
    ]);
    expect(removed).not.toBe(added);
    expect(removed.length).toBeLessThan(260);
  });
  test('in that one goes on', () => {
    const [, removed = '', added = ''] = shown(long, `${long}and more`);
    expect(removed).not.toContain('and more');
    expect(added).toContain('and more');
  });
  test('late in a long line among others', () => {
    const lines = shown(`one\n${long}1\nthree`, `one\n${long}2\nthree`);
    expect(lines.map((line) => line.trim().slice(0, 1))).toEqual(['~', 'o', '-', '+', 't']);
    expect(lines[2]).toContain('hij1 ');
    expect(lines[3]).toContain('hij2 ');
  });
  test('in the final newline alone', () => {
    expect(shown('one\ntwo\n', 'one\ntwo').map((line) => line.trim())).toEqual([
      '~ o.value',
      'one',
      '- two',
      '+ two',
      '(now without a newline at its end)',
    ]);
    expect(
      shown('one\ntwo', 'one\ntwo\n')
        .map((line) => line.trim())
        .at(4),
    ).toBe('(before without a newline at its end)');
  });
  test('in blanks at the end of a line', () => {
    const lines = shown('one \ntwo', 'one\ntwo').map((line) => line.trim());
    expect(lines.slice(1, 3)).toEqual(['- one ⏎', '+ one']);
  });
  test('in the layout of JSON alone', () => {
    const [before, after] = [
      '{"a":1,"b":[1,2,3],"c":"a long enough text for it"}',
      '{"a": 1,"b":[1,2,3],"c":"a long enough text for it"}',
    ];
    expect(shown(before, after).map((line) => line.trim())).toEqual([
      '~ o.value',
      `- ${before}`,
      `+ ${after}`,
      '^',
    ]);
  });
  test('wherever it is', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 500, unit: fc.constantFrom('a', 'b', ' ', '\n', '{', '1') }),
      fc.constant(long),
    );
    const edit = fc.record({ at: fc.nat(600), insert: fc.constantFrom('', 'x', ' ', '\n', '\t', '\u200b') });
    const pair = fc.tuple(text, edit).map(([before, { at, insert }]) => {
      const cut = Math.min(at, before.length);
      return [before, before.slice(0, cut) + insert + before.slice(insert === '' ? cut + 1 : cut)] as const;
    });
    fc.assert(
      fc.property(
        // What is empty for a person is said in words.
        pair.filter(([before, after]) => before !== after && before.trim() !== '' && after.trim() !== ''),
        ([before, after]) => {
          const lines = shown(before, after).map((line) => line.trim());
          const [one = ''] = lines;
          const side = (mark: string) =>
            lines.filter((line) => line === mark || line.startsWith(`${mark} `)).map((line) => line.slice(2));
          const arrow = one.match(/^[~+] o\.value {2}(.*) -> (.*)$/s);
          const isTold = lines.some((line) => line.includes('without a newline'));
          if (arrow !== null) expect(arrow[1]).not.toBe(arrow[2]);
          else if (!isTold) expect(side('-')).not.toEqual(side('+'));
        },
      ),
      { numRuns: 2_000, seed: 20_261_121 },
    );
  });
});

describe('what is long', () => {
  const lines = (mark: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${mark}${index}\n`).join('');
  test('is shown whole up to 200 characters, and with its length beyond', () => {
    expect(shown('a'.repeat(200), 'b').join()).not.toContain('characters');
    expect(shown('a'.repeat(201), 'b').join()).toContain('(201 characters)');
  });
  test('is shown up to 40 lines, with a count of the others', () => {
    expect(shown(lines('a', 20), lines('b', 20))).toHaveLength(41);
    const cut = shown(lines('a', 21), lines('b', 21));
    expect([cut.length, cut.at(-1)?.trim()]).toEqual([42, '(2 more lines)']);
  });
  test('is compared by lines where one side alone has several', () => {
    expect(shown('one', 'one\ntwo').map((line) => line.trim())).toEqual(['~ o.value', 'one', '+ two']);
  });
});

describe('a multi-select', () => {
  const choices = (...values: string[]) => values.map((value) => ({ display: value, value }));
  const many = Array.from({ length: 90 }, (_, index) => `MEMBER_NUMBER -${index}`);

  test('is shown by what comes and what goes', () => {
    expect(shown(choices('a', 'b'), choices('b', 'c')).join('\n')).toContain('-a +c');
  });
  test('that becomes one is shown by its values', () => {
    expect(shown('a', choices('b'))).toEqual(['    ~ o.value  a -> [b]']);
    expect(shown(choices('a'), 'b')).toEqual(['    ~ o.value  [a] -> b']);
  });
  test('that only gains members shows these alone, several with a space between', () => {
    expect(shown(choices('a'), choices('a', 'b', 'c'))).toEqual(['    ~ o.value  +b +c']);
  });
  test('is shown whole in six lines, and cut beyond', () => {
    // 72 columns hold three of these.
    const members = (count: number) => choices(...many.slice(0, count).map((each) => each.padEnd(21, 'x')));
    expect(shown(choices(), members(18)).slice(1)).toHaveLength(6);
    expect(shown(choices(), members(19)).at(-1)?.trim()).toBe('(1 more)');
  });
  test('of many members keeps to the width, and counts those that it leaves out', () => {
    const lines = shown(choices('a', ...many), choices('a', 'new'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const told = lines.join(' ').match(/-MEMBER_NUMBER/g)?.length ?? 0;
    expect(told).toBeGreaterThan(10);
    expect(lines.join('\n')).toContain(`(${many.length - told} more)`);
    expect(lines.join('\n')).toContain('+new');
  });
});

describe('a plan of many integrations', () => {
  const change = (name: string): Change => ({
    address: `${name}.options.proxy.value`,
    field: 'value',
    option: 'proxy',
    label: 'change',
    risks: ['overrides-users'],
    source: { file: 'a.yaml', line: 1, column: 1 },
    before: '',
    after: 'http://proxy',
    sensitive: false,
  });
  const integrations = Array.from({ length: 100 }, (_, index) => {
    const name = `integration-${index}`;
    return { ...INTEGRATION, name, id: name, changes: [change(name)] };
  });
  const summary = { ...SUMMARY, managed: 100, changed: 100, changes: 100, writes: 100 };

  test('shows a change that they share once, with some names and a count of the others', () => {
    const lines = rendered({ summary, integrations });
    expect(lines.length).toBeLessThan(20);
    const named = lines.join(' ').match(/integration-\d+/g)?.length ?? 0;
    expect(lines.join('\n')).toContain(`and ${100 - named} more`);
    expect(lines.filter((line) => line.includes('proxy.value'))).toHaveLength(1);
    expect(lines).toContain('Risks: overrides-users 100.');
  });
  test('shows all of it where that is asked for', () => {
    const plan = { name: 's', url: 'https://s', summary, integrations };
    const text = renderPlans([plan], { paint: PLAIN, width: 80, findings: [], full: true });
    expect(text.match(/proxy\.value/g)).toHaveLength(100);
  });
  test('that a person has seen shows only what became of it', () => {
    const applied = integrations.map(
      (each, index) => ({ ...each, outcome: index < 97 ? 'verified' : 'failed' }) as const,
    );
    const plan = { name: 's', url: 'https://s', summary, integrations: applied };
    const text = renderPlans([plan], { paint: PLAIN, width: 80, findings: [], outcomes: true });
    expect(text).not.toContain('proxy.value');
    expect(text).toMatch(/^97 integrations {2}\[verified\]$/m);
    expect(text).toMatch(
      /^3 integrations {2}\[failed\]\n {4}integration-97, integration-98, integration-99$/m,
    );
  });
  test('says what an apply of it needs', () => {
    const findings = [
      diagnostic('risk-refused', { risk: 'exposes-secret', addresses: [], by: 'default' }),
      diagnostic('risk-refused', { risk: 'overrides-users', addresses: [], by: 'policy' }),
      diagnostic('many-changes', { changed: 100, large: [] }),
    ];
    const plan = { name: 's', url: 'https://s', summary, integrations };
    const lines = renderPlans([plan], { paint: PLAIN, width: 80, findings }).split('\n');
    expect(lines).toContain('Apply refuses this without --accept exposes-secret --allow-changes 100.');
    expect(lines).toContain('Apply refuses this: the policy forbids overrides-users.');
  });
});

describe('a comparison of lines', () => {
  const text = (changed: string) => `a\nb\nc\nd\n${changed}\nf\ng\nh\ni\n`;
  test('shows two equal lines on either side, counts the others, and marks what differs', () => {
    expect(shown(text('timeout = 5 s'), text('timeout = 30 s')).map((line) => line.slice(8))).toEqual([
      ...[expect.anything(), '  (2 equal lines)', '  c', '  d'],
      ...['- timeout = 5 s', '+ timeout = 30 s', '            ^^'],
      ...['  f', '  g', '  (2 equal lines)'],
    ]);
  });
});
