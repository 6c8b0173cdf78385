import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Label, labelOf } from '../../../src/core/plan/label.ts';

const A = 'a';
const B = 'b';
const NONE = undefined;
const SIDES = [NONE, A, B] as const;

type Side = string | undefined;

/** Each cell by what a person would say of it. */
const CELLS: readonly (readonly [base: Side, head: Side, live: Side, label: Label | undefined])[] = [
  [NONE, NONE, NONE, undefined],
  [NONE, NONE, A, undefined],
  [NONE, NONE, B, undefined],
  [NONE, A, NONE, 'change'],
  [NONE, A, A, 'settled'],
  [NONE, A, B, 'change'],
  [NONE, B, NONE, 'change'],
  [NONE, B, A, 'change'],
  [NONE, B, B, 'settled'],
  [A, NONE, NONE, 'released'],
  [A, NONE, A, 'released'],
  [A, NONE, B, 'released'],
  [A, A, NONE, 'drift'],
  [A, A, A, undefined],
  [A, A, B, 'drift'],
  [A, B, NONE, 'conflict'],
  [A, B, A, 'change'],
  [A, B, B, 'settled'],
  [B, NONE, NONE, 'released'],
  [B, NONE, A, 'released'],
  [B, NONE, B, 'released'],
  [B, A, NONE, 'conflict'],
  [B, A, A, 'settled'],
  [B, A, B, 'change'],
  [B, B, NONE, 'drift'],
  [B, B, A, 'drift'],
  [B, B, B, undefined],
];

/** The definition in the words of a reviewer: who moved, and whether there is anything left to do. */
function defined(base: Side, head: Side, live: Side): Label | undefined {
  const isManaged = head !== undefined;
  const wasManaged = base !== undefined;
  const hasBranchMoved = base !== head;
  const hasServerMoved = wasManaged && live !== base;
  const isToDo = isManaged && live !== head;
  if (!isManaged) return wasManaged ? 'released' : undefined;
  if (!isToDo) return hasBranchMoved ? 'settled' : undefined;
  if (hasBranchMoved && hasServerMoved) return 'conflict';
  return hasBranchMoved ? 'change' : 'drift';
}

describe('the label of a field', () => {
  test('is tabled for each of the 27 cells', () => {
    const cells = CELLS.map(([base, head, live]) => `${base} ${head} ${live}`);
    const all = SIDES.flatMap((base) =>
      SIDES.flatMap((head) => SIDES.map((live) => `${base} ${head} ${live}`)),
    );
    expect([...cells].sort()).toEqual(all.sort());
  });
  test.each(CELLS)('base %s, head %s, live %s: %s', (base, head, live, label) => {
    expect(labelOf(base, head, live)).toBe(label);
  });
  test('is what its definition in other words says, whatever the contents are', () => {
    const side = fc.option(fc.constantFrom('', 'a', 'b', 'c', 'null', 'undefined'), { nil: undefined });
    fc.assert(
      fc.property(side, side, side, (base, head, live) => {
        expect(labelOf(base, head, live)).toBe(defined(base, head, live));
      }),
      { numRuns: 10_000 },
    );
  });
});
