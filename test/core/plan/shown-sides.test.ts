import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/model/json.ts';
import { secretSide } from '../../../src/core/model/side.ts';
import {
  type Comparison,
  isShownAsSecret,
  sidesOf,
} from '../../../src/core/plan/compare.ts';
import {
  comparedSecret,
  comparedValue,
  permissionChange,
} from '../../support/changes.ts';
import { MASKED, readable } from '../../support/live.ts';

const UNSET = { kind: 'unset' } as const;
const UNREAD = { kind: 'unread', written: '${env:SETPOINT_X}' } as const;

/** A value whose reference was not read. */
function unread(own: Partial<Comparison>): Comparison {
  const compared = { ...comparedValue('o'), after: UNREAD };
  return { ...compared, state: 'unread', ...own };
}

interface Row {
  readonly name: string;
  readonly comparison: Comparison;
  readonly sides: object;
}

describe('the sides in a document', () => {
  test.each<Row>([
    {
      name: 'of a text',
      comparison: comparedValue('o'),
      sides: { before: 'old', after: 'new' },
    },
    {
      name: 'that the server hides',
      comparison: { ...comparedValue('o', 'new', MASKED) },
      sides: { before: null, after: 'new', hidden: true },
    },
    {
      name: 'of a secret',
      comparison: comparedSecret('o'),
      sides: { before: null, after: null, secret: true },
    },
    {
      name: 'of a secret with a reference',
      comparison: { ...comparedSecret('o'), reference: '${env:A}' },
      sides: { before: null, after: null, secret: true, reference: '${env:A}' },
    },
    {
      name: 'of a first secret',
      comparison: comparedSecret('o', 'new', UNSET),
      sides: { before: '', after: null, secret: true },
    },
    {
      name: 'of a hidden secret',
      comparison: comparedSecret('o', 'new', MASKED),
      sides: { before: null, after: null, secret: true, hidden: true },
    },
    {
      name: 'of a value that was not read',
      comparison: unread({ before: readable('old') }),
      sides: { before: null, after: null, secret: true },
    },
    {
      name: 'of a value that was not read, beside nothing',
      comparison: unread({ before: UNSET, state: 'differs' }),
      sides: { before: '', after: null, secret: true },
    },
    {
      name: 'of a text beside a secret',
      comparison: { ...comparedValue('o'), before: secretSide('old') },
      sides: { before: null, after: 'new' },
    },
    {
      name: 'of a permission, which has no reference',
      comparison: permissionChange('o', 'lock-and-hide', 'lock-and-show')
        .comparison,
      sides: { before: 'lock-and-hide', after: 'lock-and-show' },
    },
  ])('$name', ({ comparison, sides }) => {
    // The document leaves out what is undefined.
    expect(present(sidesOf(comparison))).toStrictEqual(sides);
    expect(isShownAsSecret(comparison)).toBe('secret' in sides);
  });
  test('of a secret say when it was rotated, those of a text do not', () => {
    const rotated = '2026-01-01';
    const rotatedIn = ({ setting, ...others }: Comparison): Comparison => {
      if (setting.kind !== 'value') throw new Error('not a value');
      return { ...others, setting: { ...setting, rotated } };
    };
    expect(sidesOf(rotatedIn(comparedSecret('o')))).toHaveProperty(
      'rotated',
      rotated,
    );
    expect(sidesOf(rotatedIn(comparedValue('o')))).not.toHaveProperty(
      'rotated',
    );
  });
});
