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

test.each([
  ['a null above nothing', ['vt: { options: { a: 1 } }', 'vt: null'], true],
  ['no null', ['vt: { options: { a: 1 } }'], false],
  ['a field above the null', ['vt: null', 'vt: { options: { a: 1 } }'], false],
])('an entry is taken back by %s: %s', (_, layers, isTaken) => {
  const [entry] = validConfig(...layers.map(entries)).entries;
  expect(entry && stopOf(entry) !== undefined).toBe(isTaken);
});
