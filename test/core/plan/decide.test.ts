import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../src/core/model/subject.ts';
import type { ComparisonState } from '../../../src/core/plan/compare.ts';
import {
  type Choices,
  decide,
  decideUndo,
  type Fate,
  type UndoFate,
} from '../../../src/core/plan/decide.ts';
import { comparedValue } from '../../support/changes.ts';

const VALUE: Subject = { kind: 'value', integration: 'vt', option: 'key' };
const PERMISSION: Subject = { ...VALUE, kind: 'permission' };
const OTHER: Subject = { ...VALUE, option: 'other' };

/** Whether a field is one of these. */
function among(...subjects: readonly Subject[]): (subject: Subject) => boolean {
  const texts = subjects.map((subject) => JSON.stringify(subject));
  return (subject) => texts.includes(JSON.stringify(subject));
}

/** The state of a field, what people said of it, and its fate. */
type Rule = [ComparisonState, Partial<Choices>, Fate, Subject?];

const ALL = { writeHidden: ['all'] };
const NAMED = { writeHidden: ['vt.key'] };
const OTHERS_NAMED = { writeHidden: ['vt.other', 'vt.options.key.permission'] };
const until = '2026-12-31';
const WAIVED = { waivers: [{ address: 'vt.options.key.value', until }] };
const REVIEWED = { isReviewed: among(VALUE) };
const NOT_REVIEWED = { isReviewed: among(OTHER) };
const OF_BRANCH = { isOfBranch: among(VALUE) };
const NOT_OF_BRANCH = { isOfBranch: among(OTHER) };
const WITH_PERMISSION = { isOfBranch: among(PERMISSION) };
const EVERYTHING = { ...ALL, ...WAIVED, ...REVIEWED, ...OF_BRANCH };

/** Every rule, each before those that it overrides. */
const RULES: Readonly<Record<string, Rule>> = {
  // 1  What is as desired.
  'as desired': ['same', {}, 'none'],
  'as desired, whatever anybody said': ['same', EVERYTHING, 'none'],

  // 2  A value without its references.
  'not compared': ['unread', {}, 'unread'],
  'not compared, though hidden fields are written': [
    'unread',
    { ...ALL, ...NOT_OF_BRANCH },
    'unread',
  ],
  'not compared, and changed by the branch': [
    'unread',
    { ...OF_BRANCH, ...WAIVED },
    'change',
  ],
  'waived, which needs no reference': ['unread', WAIVED, 'waived'],

  // 3  What was reviewed, or is the work of the branch.
  'reviewed in spite of a waiver': [
    'differs',
    { ...REVIEWED, ...WAIVED },
    'change',
  ],
  'reviewed though hidden': ['hidden', REVIEWED, 'change'],
  'changed by the branch though hidden': ['hidden', OF_BRANCH, 'change'],
  'a hidden value that goes with its permission, in spite of a waiver': [
    'hidden',
    { ...WITH_PERMISSION, ...WAIVED },
    'change',
  ],
  'a value that is shown: it does not go with its permission': [
    'differs',
    { ...WITH_PERMISSION, ...WAIVED },
    'waived',
  ],
  'a hidden permission: it does not go with its value': [
    'hidden',
    OF_BRANCH,
    'hidden',
    PERMISSION,
  ],

  // 4  What the server hides.
  hidden: ['hidden', {}, 'hidden'],
  'hidden and waived': ['hidden', WAIVED, 'hidden'],
  'hidden and not reviewed': ['hidden', NOT_REVIEWED, 'hidden'],
  'hidden, and all is asked for': ['hidden', ALL, 'change'],
  'hidden, and named': ['hidden', NAMED, 'change'],
  'hidden, and others are named': ['hidden', OTHERS_NAMED, 'hidden'],

  // 5  What is waived.
  waived: ['differs', WAIVED, 'waived'],
  'waived though asked for': ['hidden', { ...ALL, ...WAIVED }, 'waived'],
  'waived and not reviewed': [
    'differs',
    { ...NOT_REVIEWED, ...WAIVED },
    'waived',
  ],

  // 6  What a reviewed plan lacks.
  'not reviewed': ['differs', NOT_REVIEWED, 'not-reviewed'],
  'not reviewed though asked for': [
    'hidden',
    { ...ALL, ...NOT_REVIEWED },
    'not-reviewed',
  ],

  // 7  All else.
  different: ['differs', {}, 'change'],
};

describe('what becomes of a field that is', () => {
  test.each(Object.entries(RULES))('%s', (_, rule) => {
    const [state, choices, fate, subject = VALUE] = rule;
    const comparison = { ...comparedValue('key'), subject, state };
    const all = { writeHidden: [], waivers: [], ...choices };
    expect(decide(comparison, all)).toBe(fate);
  });
});

/** How a field stands to a value; undefined if it cannot hold it. */
type Held = ComparisonState | undefined;

test.each<[written: Held, former: Held, UndoFate]>([
  ['differs', 'same', 'former'],
  ['hidden', 'differs', 'unknown'],
  ['differs', 'differs', 'moved'],
  [undefined, 'differs', 'moved'],
  ['same', undefined, 'unknown'],
  ['same', 'differs', 'former'],
])('an undo, written %s, former %s: %s', (written, former, fate) => {
  const inState = (state: Held) => state && { ...comparedValue('key'), state };
  expect(decideUndo(inState(written), inState(former))).toBe(fate);
});
