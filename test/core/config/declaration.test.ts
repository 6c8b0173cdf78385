import { describe, expect, test } from 'vitest';
import {
  contenders,
  type Declaration,
  decisive,
  type Ranked,
  setterIn,
} from '../../../src/core/config/declaration.ts';
import type { Permission } from '../../../src/core/model/permission.ts';
import type { Place } from '../../../src/core/model/place.ts';

const PLACE: Place = { file: 'a.yaml', line: 1, column: 1 };

function sets(entry: string, value: Permission): Declaration {
  const about = { entry, option: 'k', keyPlace: PLACE, place: PLACE };
  return { ...about, field: 'permission', value };
}

type Around = 'permission' | 'option' | 'options' | 'entry';

function stops(entry: string, field: Around): Declaration {
  return { entry, field, place: PLACE, value: null };
}

const SHOW = 'lock-and-show';
const HIDE = 'lock-and-hide';
const USERS = 'user-provides';

interface Precedence {
  readonly name: string;
  readonly specific?: readonly (readonly Declaration[])[];
  readonly defaults?: readonly (readonly Declaration[])[];
  readonly wins: Permission | undefined;
}

const PRECEDENCE: readonly Precedence[] = [
  { name: 'nothing is declared', wins: undefined },
  {
    name: 'a later layer overrides an earlier one',
    specific: [[sets('a', SHOW), sets('a', HIDE)]],
    wins: HIDE,
  },
  {
    name: 'a specific entry overrides defaults',
    specific: [[sets('a', SHOW)]],
    defaults: [[sets('d', HIDE)]],
    wins: SHOW,
  },
  {
    name: 'defaults count if no specific entry says anything',
    specific: [[]],
    defaults: [[sets('d', HIDE)]],
    wins: HIDE,
  },
  {
    name: 'a null of a specific entry keeps defaults out',
    specific: [[stops('a', 'permission')]],
    defaults: [[sets('d', HIDE)]],
    wins: undefined,
  },
  {
    name: 'a null counts for nothing beside an equal entry that sets the field',
    specific: [[stops('a', 'permission')], [sets('b', USERS)]],
    wins: USERS,
  },
  {
    name: 'a field is managed again by a layer behind a null',
    specific: [[sets('a', SHOW), stops('a', 'entry'), sets('a', HIDE)]],
    wins: HIDE,
  },
  {
    name: 'the first of equal entries counts until the clash is mended',
    specific: [[sets('a', SHOW)], [sets('b', HIDE)]],
    wins: SHOW,
  },
];

describe('the declaration that counts', () => {
  test.each(PRECEDENCE)(
    '$name',
    ({ specific = [], defaults = [], wins }: Precedence) => {
      const counts = decisive({ specific, defaults }, 'permission');
      expect(counts?.value ?? undefined).toBe(wins);
    },
  );
  test.each<Around>(['permission', 'option', 'options', 'entry'])(
    'a null in place of the %s stops what earlier layers set',
    (field) => {
      const declarations = [sets('a', SHOW), stops('a', field)];
      expect(setterIn(declarations, 'permission')).toBeUndefined();
      expect(setterIn(declarations.toReversed(), 'permission')).toBeDefined();
    },
  );
});

test('contenders are the equal setters that nothing overrides', () => {
  const ranked: Ranked = {
    specific: [
      [sets('a', SHOW), sets('a', HIDE)],
      [sets('b', USERS)],
      [stops('c', 'option')],
    ],
    defaults: [[sets('d', SHOW)]],
  };
  const values = contenders(ranked, 'permission').map(({ value }) => value);
  expect(values).toEqual([HIDE, USERS]);
});
