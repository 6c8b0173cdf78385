import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/model/json.ts';
import { type Comparison, sidesOf } from '../../../src/core/plan/compare.ts';
import type { ChangeDocument } from '../../../src/core/plan/plan.ts';
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

interface Row {
  readonly name: string;
  readonly was: ChangeDocument;
  readonly now?: Comparison;
  readonly by?: 'server' | 'configuration';
}

describe('a reviewed change', () => {
  test.each<Row>([
    { name: 'holds if nothing moved', was: reviewed(TEXT), now: TEXT },
    {
      name: 'is moved by the server if it is shown no more',
      was: reviewed(TEXT),
      now: comparedValue('o', 'new', MASKED),
      by: 'server',
    },
    {
      name: 'is moved by the configuration if both sides moved',
      was: reviewed(TEXT),
      now: comparedValue('o', 'newer', readable('other')),
      by: 'configuration',
    },
    { name: 'of a secret holds', was: reviewed(SECRET), now: SECRET },
    {
      name: 'of a secret holds whatever is live, which nobody can see',
      was: reviewed(SECRET),
      now: comparedSecret('o', 'new', MASKED),
    },
    {
      name: 'of a secret is moved if nothing is desired any more',
      was: reviewed(SECRET),
      now: comparedValue('o', ''),
      by: 'configuration',
    },
    {
      name: 'of a secret is moved by another reference',
      was: reviewed(SECRET, { reference: '${env:SETPOINT_B}' }),
      now: SECRET,
      by: 'configuration',
    },
    {
      name: 'of a secret is moved by another day',
      was: reviewed(SECRET, { rotated: '2026-01-01' }),
      now: SECRET,
      by: 'configuration',
    },
    {
      name: 'of a secret is moved if it is none any more',
      was: reviewed(SECRET),
      now: TEXT,
      by: 'configuration',
    },
    {
      name: 'is moved if it is a secret by now',
      was: reviewed(TEXT),
      now: SECRET,
      by: 'configuration',
    },
  ])('$name', ({ was, now, by }) => {
    const comparisons = now === undefined ? [] : [now];
    const moved = by === undefined ? [] : [{ address: ADDRESS, by }];
    expect(movedSinceReview([was], comparisons)).toEqual(moved);
  });
});

describe('a change that was shown', () => {
  const rechecked = (
    standing: Rechecked['standing'],
    own: Partial<Rechecked> = {},
    comparison = TEXT,
  ): Rechecked => ({
    change: changeOfField(comparison),
    now: comparison,
    standing,
    risks: [],
    ...own,
  });
  const first = comparedSecret('o', 'new', UNSET);
  const exposing = {
    ...changeOfField(first),
    risks: ['exposes-secret'],
  } as const;
  test.each([
    { name: 'is done', was: rechecked('planned'), isMoved: true },
    { name: 'is at another value', was: rechecked('other'), isMoved: true },
    {
      name: 'exposes a secret by now',
      was: rechecked('unmoved', { risks: ['exposes-secret'] }, first),
      isMoved: true,
    },
    {
      name: 'exposes a secret as it did',
      was: rechecked('unmoved', {
        change: exposing,
        risks: ['exposes-secret'],
      }),
      isMoved: false,
    },
    {
      name: 'has another risk by now',
      was: rechecked('unmoved', { risks: ['overrides-users'] }),
      isMoved: false,
    },
  ])('$name: moved is $isMoved', ({ was, isMoved }) => {
    const moved = isMoved ? [{ address: ADDRESS, by: 'server' }] : [];
    expect(movedSinceShown([was])).toEqual(moved);
  });
});
