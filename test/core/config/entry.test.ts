import { expect, test } from 'vitest';
import {
  optionKeys,
  selectorText,
  stopOf,
} from '../../../src/core/config/entry.ts';
import { entries, validConfig } from '../../support/config.ts';

test.each([
  [{ id: 'vt_*' }, 'vt_*'],
  [{ name: 'VirusTotal' }, 'name: VirusTotal'],
  [{ name: 'VirusTotal', acronym: 'VT' }, 'name: VirusTotal, acronym: VT'],
  [{ id: 'vt_*', acronym: 'VT' }, 'id: vt_*, acronym: VT'],
  [{ id: 'vt_*', name: 'VT' }, 'id: vt_*, name: VT'],
])('the selector %j reads as %s', (selector, text) => {
  expect(selectorText(selector)).toBe(text);
});

test('the options of an entry are those that it names behind a null for all', () => {
  const config = validConfig(
    entries('vt: { options: { a: 1, b: 2, c: { sensitive: true } } }'),
    entries('vt: { options: null }'),
    entries('vt: { options: { b: 3, d: null, e: { value: null } } }'),
  );
  expect(config.entries.map(optionKeys)).toEqual([['b', 'd', 'e']]);
});

test('an entry is taken back by a null, unless a later layer sets a field', () => {
  const sets = entries('vt: { options: { a: 1 } }');
  const stops = entries('vt: null');
  const isTaken = (...layers: readonly string[]) =>
    validConfig(...layers).entries.map((entry) => stopOf(entry) !== undefined);
  const taken = [isTaken(sets, stops), isTaken(sets), isTaken(stops, sets)];
  expect(taken).toEqual([[true], [false], [false]]);
});
