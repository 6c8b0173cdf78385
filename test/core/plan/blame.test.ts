import { expect, test } from 'vitest';
import type { Change } from '../../../src/core/plan/plan.ts';
import { blamedPlace } from '../../../src/core/plan/requests.ts';
import { permissionChange, subscribingChange, valueChange } from '../../support/changes.ts';

const changes: readonly Change[] = [
  permissionChange('a', 'invalid', 'lock-and-hide', 1),
  valueChange('a', 2),
  valueChange('k-e', 3),
  valueChange('b-c', 4),
  subscribingChange(5),
];

test.each([
  ['/data/0/attributes/value', 2],
  ['/data/0/attributes/admin-only', 1],
  ['/data/0/attributes/user-can-edit', 1],
  ['/data/0', 2],
  ['/data/2/attributes/value', 4],
  ['/data/attributes/k-e', 3],
  ['/data/attributes/options/b-c/value', 4],
  ['/data/vt-b-c/attributes/value', 4],
  ['/data/attributes/autosubscribe', 5],
  ['/data/9/attributes/value', undefined],
  ['/data//attributes/value', undefined],
  ['/data/0x1/attributes/value', undefined],
  ['/meta/1/attributes/value', undefined],
  ['/data/attributes/host', undefined],
  ['', undefined],
  [undefined, undefined],
])('the pointer %s', (pointer, line) => {
  const blame = pointer === undefined ? {} : { pointer };
  expect(blamedPlace(blame, { id: 'vt', changes })?.line).toBe(line);
});

test.each([
  ['a key', { key: 'b-c' }, 4],
  ['a key of nothing that changes', { key: 'host' }, undefined],
  ['the key of an attribute', { key: 'autosubscribe' }, 5],
  ['a pointer before a key', { pointer: '/data/0/attributes/value', key: 'b-c' }, 2],
  ['a wrong pointer, and a key', { pointer: '/data/attributes/host', key: 'b-c' }, 4],
  ['an option whose key ends like another', { pointer: '/data/vt-x-b-c/attributes/value' }, undefined],
])('%s', (_, blame, line) => {
  expect(blamedPlace(blame, { id: 'vt', changes })?.line).toBe(line);
});

test('the field of an option is found wherever it is among its changes', () => {
  const pointer = '/data/0/attributes/admin-only';
  const reversed = [...changes.slice(0, 2).reverse()];
  expect(blamedPlace({ pointer }, { id: 'vt', changes: reversed })?.line).toBe(1);
});

test('the position of an option may have several digits', () => {
  const many = Array.from({ length: 12 }, (_, index) => valueChange(`o${index}`, index + 1));
  expect(blamedPlace({ pointer: '/data/11/attributes/value' }, { id: 'vt', changes: many })?.line).toBe(12);
});
