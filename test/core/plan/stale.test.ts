import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/model/json.ts';
import { type Comparison, sidesOf } from '../../../src/core/plan/compare.ts';
import type { ChangeDocument } from '../../../src/core/plan/plan-document.ts';
import {
  movedSinceShown,
  type Rechecked,
} from '../../../src/core/plan/recheck.ts';
import { movedSinceReview } from '../../../src/core/plan/review.ts';
import {
  changeOfField,
  comparedSecret,
  comparedValue,
} from '../../support/changes.ts';
import { changeOf } from '../../support/documents.ts';
import { MASKED, readable } from '../../support/live.ts';

const ADDRESS = 'vt.options.o.value';
const UNSET = { kind: 'unset' } as const;

/** A field as a reviewer has seen it. */
function reviewed(
  comparison: Comparison,
  own: Partial<ChangeDocument> = {},
): ChangeDocument {
  const sides = present(sidesOf(comparison));
  return changeOf('vt', 1, { address: ADDRESS, ...sides, ...own });
}

const TEXT = comparedValue('o');
const SECRET = comparedSecret('o');

describe('a reviewed change', () => {
  /** Who moved it; undefined if it holds. */
  const mover = (was: ChangeDocument, now: Comparison) => {
    const [moved] = movedSinceReview([was], [now]);
    if (moved !== undefined) expect(moved.address).toBe(ADDRESS);
    return moved?.by;
  };
  test('holds if nothing moved, a secret whatever is live', () => {
    expect(mover(reviewed(TEXT), TEXT)).toBeUndefined();
    expect(mover(reviewed(SECRET), SECRET)).toBeUndefined();
    const masked = comparedSecret('o', 'new', MASKED);
    expect(mover(reviewed(SECRET), masked)).toBeUndefined();
  });
  test('is moved by the server if it is shown no more', () => {
    const masked = comparedValue('o', 'new', MASKED);
    expect(mover(reviewed(TEXT), masked)).toBe('server');
  });
  test('is moved by the configuration if both sides moved', () => {
    const both = comparedValue('o', 'newer', readable('other'));
    expect(mover(reviewed(TEXT), both)).toBe('configuration');
  });
  test.each<[string, ChangeDocument, Comparison]>([
    ['is desired no more', reviewed(SECRET), comparedValue('o', '')],
    ['has another reference', reviewed(SECRET, { reference: '${A}' }), SECRET],
    ['has another day', reviewed(SECRET, { rotated: '2026-01-01' }), SECRET],
    ['is none any more', reviewed(SECRET), TEXT],
    ['is one by now', reviewed(TEXT), SECRET],
  ])('is moved by the configuration if a secret %s', (_, was, now) => {
    expect(mover(was, now)).toBe('configuration');
  });
});

describe('a change that was shown', () => {
  const isMoved = (own: Partial<Rechecked>, comparison = TEXT) => {
    const change = changeOfField(comparison);
    const held = { now: comparison, standing: 'unmoved', risks: [] } as const;
    const moved = movedSinceShown([{ change, ...held, ...own }]);
    if (moved.length === 0) return false;
    expect(moved).toEqual([{ address: ADDRESS, by: 'server' }]);
    return true;
  };
  const risks = ['exposes-secret'] as const;
  test('has moved if it is done, or is at another value', () => {
    expect(isMoved({ standing: 'planned' })).toBe(true);
    expect(isMoved({ standing: 'other' })).toBe(true);
  });
  test('has moved if it exposes a secret by now, and did not', () => {
    const first = comparedSecret('o', 'new', UNSET);
    expect(isMoved({ risks }, first)).toBe(true);
    expect(isMoved({ change: { ...changeOfField(first), risks }, risks })).toBe(
      false,
    );
    expect(isMoved({ risks: ['overrides-users'] })).toBe(false);
  });
});
