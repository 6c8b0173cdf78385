import { describe, expect, test } from 'vitest';
import {
  addressOf,
  fieldKey,
  isNamedBy,
  optionOf,
  type Subject,
} from '../../../src/core/model/subject.ts';

const value = (integration: string, option: string): Subject => ({
  kind: 'value',
  integration,
  option,
});
const permission = (integration: string, option: string): Subject => ({
  kind: 'permission',
  integration,
  option,
});
const flag: Subject = { kind: 'autosubscribe', integration: 'vt' };

test.each([
  { subject: flag, address: 'vt.autosubscribe', key: 'autosubscribe' },
  {
    subject: value('vt', 'apiKey'),
    address: 'vt.options.apiKey.value',
    key: 'value apiKey',
    option: 'apiKey',
  },
  {
    subject: permission('a.b', 'c.d'),
    address: 'a.b.options.c.d.permission',
    key: 'permission c.d',
    option: 'c.d',
  },
])('$address', ({ subject, address, key, option }) => {
  expect(addressOf(subject)).toBe(address);
  expect(fieldKey(subject)).toBe(key);
  expect(optionOf(subject)).toBe(option);
});

interface Naming {
  readonly typed: string;
  readonly names: readonly Subject[];
}

describe('a typed text names', () => {
  const VT = value('vt', 'k');
  const LOCK = permission('vt', 'k');
  const DOTTED = value('a.b', 'c.d');
  const DOTTED_LOCK = permission('a.b', 'c.d');
  // The same texts compose other fields.
  const NEAR = value('a', 'b.c.d');
  const OPTIONS = value('vt', 'options.k');
  const VALUE = value('vt', 'k.value');
  const ALL = [VT, LOCK, flag, DOTTED, DOTTED_LOCK, NEAR, OPTIONS, VALUE];
  test.each<Naming>([
    { typed: 'vt', names: [VT, LOCK, flag, OPTIONS, VALUE] },
    { typed: 'vt.k', names: [VT] },
    { typed: 'vt.k.value', names: [VT, VALUE] },
    { typed: 'vt.k.permission', names: [LOCK] },
    { typed: 'vt.options.k', names: [VT, LOCK, OPTIONS] },
    { typed: 'vt.options.k.value', names: [VT, OPTIONS, VALUE] },
    { typed: 'vt.options.k.permission', names: [LOCK] },
    { typed: 'vt.autosubscribe', names: [flag] },
    { typed: 'a.b', names: [DOTTED, DOTTED_LOCK] },
    { typed: 'a.b.c.d', names: [DOTTED, NEAR] },
    { typed: 'a.b.options.c.d', names: [DOTTED, DOTTED_LOCK] },
    { typed: 'a.options.b.c.d', names: [NEAR] },
    { typed: 'a', names: [NEAR] },
    { typed: '', names: [] },
    { typed: 'v', names: [] },
    { typed: 'vt.', names: [] },
    { typed: 'vt.options', names: [] },
    { typed: 'vt.options.autosubscribe', names: [] },
    { typed: 'vt.value', names: [] },
    { typed: 'vt.K', names: [] },
    { typed: 'vt.k.', names: [] },
    { typed: 'vtx.k', names: [] },
    { typed: 'vt.options.k.values', names: [] },
  ])('$typed', ({ typed, names }) => {
    const named = ALL.filter((subject) => isNamedBy(typed, subject));
    expect(named).toEqual(ALL.filter((subject) => names.includes(subject)));
  });
});
