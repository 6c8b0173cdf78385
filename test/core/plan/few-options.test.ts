import { describe, expect, test } from 'vitest';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { plannedFor } from '../../support/planned.ts';

const WORDS =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango'.split(
    ' ',
  );
const keys = (count: number) => WORDS.slice(0, count);

const declaring = (declared: readonly string[]) =>
  `options: { ${declared.map((key) => `${key}: x`).join(', ')} }`;

/** What is planned for entries of these integrations, each with so many of its declared options listed, and of one whose value does not fit. */
function planned(
  all: Readonly<Record<string, readonly [declared: number, listed: number]>>,
) {
  const names = Object.entries(all);
  const live = names.map(([name, [, listed]]) =>
    liveIntegration(
      name,
      keys(listed).map((key) => liveOption(key)),
    ),
  );
  live.push(liveIntegration('z', [liveOption('n', { type: 'number' })]));
  const yaml = names.map(
    ([name, [declared]]) => `${name}: { ${declaring(keys(declared))} }`,
  );
  yaml.push('z: { options: { n: x } }');
  const { plan, diagnostics } = plannedFor(yaml.join('\n'), live);
  const left = plan.integrations.filter(({ unplanned }) => unplanned);
  return { diagnostics, left: left.map(({ name }) => name) };
}

describe('options that are not listed', () => {
  test('are one error if they are at least five, and more than half', () => {
    const { diagnostics, left } = planned({ a: [12, 3], b: [5, 3], c: [2, 2] });
    const facts = { listed: 9, declared: 20, integrations: ['a', 'b'] };
    expect(diagnostics).toMatchObject([
      { code: 'wrong-value' },
      { code: 'few-options', facts },
    ]);
    // The line of each stays in the document, and none of them is wrong.
    expect(diagnostics[1]?.places).toHaveLength(11);
    expect(diagnostics[1]?.place).toBeUndefined();
    expect(left).toEqual(['a', 'b', 'z']);
    const fiveOfNine = planned({ a: [8, 3] });
    expect(fiveOfNine.diagnostics).toHaveLength(2);
  });
  test.each<[string, Parameters<typeof planned>[0], number]>([
    ['four of six', { a: [5, 1] }, 4],
    ['ten of twenty', { a: [19, 9] }, 10],
    ['one of two', { a: [1, 0] }, 1],
  ])('are an error each if they are %s', (_, all, errors) => {
    const { diagnostics } = planned(all);
    const each = Array.from({ length: errors }, () => 'unknown-option');
    const codes = diagnostics.map(({ code }) => code);
    expect(codes).toEqual([...each, 'wrong-value']);
  });
});
