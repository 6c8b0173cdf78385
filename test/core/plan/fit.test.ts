import { expect, test } from 'vitest';
import { checkFit } from '../../../src/core/plan/diff.ts';
import { brief, desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

test('a key that sounds like a secret is none where its type is served, or where a person says so', () => {
  const clear = (written: string, type: object) => {
    const { type: _type, ...option } = liveOption('apiToken');
    const defined = [liveIntegration('vt', [{ ...option, ...type }])];
    const desired = desiredOf(validConfig(entries(`vt: { options: { apiToken: ${written} } }`)), defined);
    return checkFit(desired, defined).map(({ code }) => code);
  };
  expect(clear('hunter2', { type: 'password' })).toEqual(['plain-secret']);
  expect(clear('hunter2', { type: 'text' })).toEqual([]);
  expect(clear('{ value: hunter2, sensitive: false }', {})).toEqual([]);
});

test('what is not installed, or not asked for by name, is not checked', () => {
  const live = [liveIntegration('a', [liveOption('o')]), liveIntegration('b')];
  const desired = desiredOf(
    validConfig(entries('all: { match: "*", expect: any, options: { o: x } }\nb: { options: { p: x } }')),
    live,
  );
  expect(checkFit(desired, live).map(brief)).toEqual(['unknown-option 4:19']);
  expect(checkFit(desired, []).map(brief)).toEqual([]);
});
