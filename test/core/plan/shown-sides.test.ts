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

describe('the sides in a document', () => {
  /** The sides, as the document has them: it leaves out what is undefined. */
  const expectSides = (comparison: Comparison, sides: object) => {
    expect(present(sidesOf(comparison))).toStrictEqual(sides);
    expect(isShownAsSecret(comparison)).toBe('secret' in sides);
  };
  const before = null;
  const after = null;
  test('of a text, which the server may hide, or a permission', () => {
    expectSides(comparedValue('o'), { before: 'old', after: 'new' });
    const masked = comparedValue('o', 'new', MASKED);
    expectSides(masked, { before, after: 'new', hidden: true });
    const beside = { ...comparedValue('o'), before: secretSide('old') };
    expectSides(beside, { before, after: 'new' });
    const [hide, show] = ['lock-and-hide', 'lock-and-show'] as const;
    const flags = permissionChange('o', hide, show).comparison;
    expectSides(flags, { before: hide, after: show });
  });
  test('of a secret, with its reference; one that is the first is known as such', () => {
    const secret = { before, after, secret: true };
    expectSides(comparedSecret('o'), secret);
    const reference = '${env:A}';
    const referring = { ...comparedSecret('o'), reference };
    expectSides(referring, { ...secret, reference });
    const first = comparedSecret('o', 'new', UNSET);
    expectSides(first, { ...secret, before: '' });
    const hidden = comparedSecret('o', 'new', MASKED);
    expectSides(hidden, { ...secret, hidden: true });
  });
  test('of a value that was not read', () => {
    const secret = { before, after, secret: true };
    expectSides(unread({ before: readable('old') }), secret);
    const first = unread({ before: UNSET, state: 'differs' });
    expectSides(first, { ...secret, before: '' });
  });
  test('of what is compared by its text', () => {
    const [a, b] = ['${env:A}', '${env:B}'].map((written) => {
      return { kind: 'written', written } as const;
    });
    const text = { ...comparedValue('o'), ...present({ before: a, after: b }) };
    expectSides(text, { before: a?.written, after: b?.written });
    const unset = { ...text, before: UNREAD };
    expectSides(unset, { before: UNREAD.written, after: b?.written });
  });
  test('of a secret say when it was rotated, those of a text do not', () => {
    const rotated = '2026-01-01';
    const rotatedIn = ({ setting, ...others }: Comparison): Comparison => {
      if (setting.kind !== 'value') throw new Error('not a value');
      return { ...others, setting: { ...setting, rotated } };
    };
    const secret = sidesOf(rotatedIn(comparedSecret('o')));
    expect(secret).toHaveProperty('rotated', rotated);
    const text = sidesOf(rotatedIn(comparedValue('o')));
    expect(text).not.toHaveProperty('rotated');
  });
});
