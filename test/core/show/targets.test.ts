import { expect, test } from 'vitest';
import { targetsOf } from '../../../src/core/show/targets.ts';
import { entries, validConfig } from '../../support/config.ts';
import { liveIntegration } from '../../support/live.ts';

test.each([
  ['several integrations do not hold an entry that means one', '', []],
  ['but a null stops it on all of them', 'vt: null', ['vt_1', 'vt_2']],
])('%s', (_, overlay, expected) => {
  const own = 'vt: { match: vt_*, autosubscribe: true }';
  const layers = [own, overlay].filter((yaml) => yaml !== '');
  const config = validConfig(...layers.map(entries));
  const live = [liveIntegration('vt_1'), liveIntegration('vt_2')];
  const held = targetsOf(config, live).filter(
    ({ specific, installed }) => installed && specific.length > 0,
  );
  expect(held.map(({ installed }) => installed?.id)).toEqual(expected);
});
