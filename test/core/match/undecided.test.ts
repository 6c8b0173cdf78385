import { expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries, undecidedIds } from '../../../src/core/match/match.ts';
import { entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const LIVE = ['us_1', 'vt_1', 'vt_2'].map((id) =>
  liveIntegration(id, [liveOption('a'), liveOption('b')]),
);
const entry = (name: string, match: string, option = 'a') =>
  `${name}: { match: "${match}", options: { ${option}: 1 } }`;

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['nothing errs', [entry('vt', 'vt_1')], [entry('us', 'us_1')], []],
  [
    'a match finds none',
    [entry('vt', 'vt_1'), entry('us', 'us_1')],
    [entry('vt', 'tv_1')],
    ['us_1', 'vt_1'],
  ],
  [
    'a match finds several',
    [entry('vt', 'vt_1')],
    [entry('vt', 'vt_*')],
    ['vt_1', 'vt_2'],
  ],
  [
    'one of two entries of an integration finds none',
    [entry('vt', 'vt_1'), entry('more', 'vt_1', 'b')],
    [entry('vt', 'vt_1'), entry('more', 'tv_1', 'b')],
    ['vt_1'],
  ],
  [
    'an entry may be renamed too',
    [entry('vt', 'vt_1'), entry('us', 'us_1')],
    [entry('new', 'tv_1'), entry('us', 'us_1')],
    ['vt_1'],
  ],
  [
    'one entry is renamed, and another one is not',
    [entry('vt', 'vt_1'), entry('us', 'us_1')],
    [entry('vt', 'tv_1'), entry('new', 'su_1')],
    ['us_1', 'vt_1'],
  ],
  [
    'two entries contradict each other',
    [entry('vt', 'vt_1')],
    [entry('vt', 'vt_1'), entry('other', 'vt_1*')],
    ['vt_1'],
  ],
])('where %s', (_, before, after, expected) => {
  const [base, branch] = [before, after].map((all) =>
    resolveConfig(validConfig(entries(all.join('\n')))),
  );
  const { unmet, erring } = matchEntries(branch ?? [], LIVE).misses;
  const errors = { base: base ?? [], branch: branch ?? [], live: LIVE };
  const undecided = undecidedIds({ ...errors, unmet, erring });
  expect([...undecided].sort()).toEqual(expected);
});
