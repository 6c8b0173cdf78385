import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../src/core/model/subject.ts';
import type { ComparisonState } from '../../../src/core/plan/compare.ts';
import {
  type Choices,
  decide,
  type Fate,
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

interface Rule {
  readonly name: string;
  readonly state: ComparisonState;
  readonly subject?: Subject;
  readonly choices?: Partial<Choices>;
  readonly fate: Fate;
}

const ALL = { writeHidden: ['all'] };
const NAMED = { writeHidden: ['vt.key'] };
const until = '2026-12-31';
const WAIVED = { waivers: [{ address: 'vt.options.key.value', until }] };
const REVIEWED = { isReviewed: among(VALUE) };
const NOT_REVIEWED = { isReviewed: among(OTHER) };
const OF_BRANCH = { isOfBranch: among(VALUE) };
const NOT_OF_BRANCH = { isOfBranch: among(OTHER) };
const WITH_PERMISSION = { isOfBranch: among(PERMISSION) };
const EVERYTHING = { ...ALL, ...WAIVED, ...REVIEWED, ...OF_BRANCH };

/** Every rule, before those that it beats. */
const RULES: readonly Rule[] = [
  // 1  What is as desired.
  { name: 'nothing is to be done', state: 'same', fate: 'none' },
  {
    name: 'nothing is to be done, whatever anybody said',
    state: 'same',
    choices: EVERYTHING,
    fate: 'none',
  },

  // 2  A value without its references.
  { name: 'what is not compared is left', state: 'unread', fate: 'unread' },
  {
    name: 'what is not compared is left, though hidden fields are written',
    state: 'unread',
    choices: { ...ALL, ...NOT_OF_BRANCH },
    fate: 'unread',
  },
  {
    name: 'what the branch changed is a change though it is not compared',
    state: 'unread',
    choices: { ...OF_BRANCH, ...WAIVED },
    fate: 'change',
  },
  {
    name: 'what a waiver names needs no reference',
    state: 'unread',
    choices: WAIVED,
    fate: 'waived',
  },

  // 3  What was reviewed, or is the work of the branch.
  {
    name: 'what was reviewed is a change in spite of a waiver',
    state: 'differs',
    choices: { ...REVIEWED, ...WAIVED },
    fate: 'change',
  },
  {
    name: 'what was reviewed is a change though it is hidden',
    state: 'hidden',
    choices: REVIEWED,
    fate: 'change',
  },
  {
    name: 'what the branch changed is a change though it is hidden',
    state: 'hidden',
    choices: OF_BRANCH,
    fate: 'change',
  },
  {
    name: 'a hidden value goes with its permission, in spite of a waiver',
    state: 'hidden',
    choices: { ...WITH_PERMISSION, ...WAIVED },
    fate: 'change',
  },
  {
    name: 'a value that is shown does not go with its permission',
    state: 'differs',
    choices: { ...WITH_PERMISSION, ...WAIVED },
    fate: 'waived',
  },
  {
    name: 'a hidden permission does not go with its value',
    state: 'hidden',
    subject: PERMISSION,
    choices: OF_BRANCH,
    fate: 'hidden',
  },

  // 4  What the server hides.
  { name: 'what is hidden is left', state: 'hidden', fate: 'hidden' },
  {
    name: 'what is hidden and waived is hidden first',
    state: 'hidden',
    choices: WAIVED,
    fate: 'hidden',
  },
  {
    name: 'what is hidden and was not reviewed is hidden first',
    state: 'hidden',
    choices: NOT_REVIEWED,
    fate: 'hidden',
  },
  {
    name: 'what is hidden is a change if all is asked for',
    state: 'hidden',
    choices: ALL,
    fate: 'change',
  },
  {
    name: 'what is hidden is a change if it is named',
    state: 'hidden',
    choices: NAMED,
    fate: 'change',
  },
  {
    name: 'what is hidden is left if another field is named',
    state: 'hidden',
    choices: { writeHidden: ['vt.other', 'vt.options.key.permission'] },
    fate: 'hidden',
  },

  // 5  What is waived.
  {
    name: 'what is waived is left',
    state: 'differs',
    choices: WAIVED,
    fate: 'waived',
  },
  {
    name: 'what is waived is left though it is asked for as hidden',
    state: 'hidden',
    choices: { ...ALL, ...WAIVED },
    fate: 'waived',
  },
  {
    name: 'what is waived and was not reviewed is waived first',
    state: 'differs',
    choices: { ...NOT_REVIEWED, ...WAIVED },
    fate: 'waived',
  },

  // 6  What a reviewed plan lacks.
  {
    name: 'what was not reviewed is left',
    state: 'differs',
    choices: NOT_REVIEWED,
    fate: 'not-reviewed',
  },
  {
    name: 'what was not reviewed is left though it is asked for as hidden',
    state: 'hidden',
    choices: { ...ALL, ...NOT_REVIEWED },
    fate: 'not-reviewed',
  },

  // 7  All else.
  { name: 'what differs is a change', state: 'differs', fate: 'change' },
];

describe('what becomes of a field', () => {
  test.each(RULES)('$name', ({ state, subject = VALUE, choices, fate }) => {
    const comparison = { ...comparedValue('key'), subject, state };
    const all = { writeHidden: [], waivers: [], ...choices };
    expect(decide(comparison, all)).toBe(fate);
  });
});
