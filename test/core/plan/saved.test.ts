import { describe, expect, test } from 'vitest';
import { NOTHING, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { decodeSaved, type SavedReader } from '../../../src/core/plan/saved.ts';
import { subscribingChange } from '../../support/changes.ts';
import { documentWith } from '../../support/documents.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { rendered } from '../../support/rendered.ts';
import { documented } from '../../support/saved-plan.ts';

const VT = { ...NOTHING, name: 'vt', id: 'vt', status: 'running' };

const server: ServerPlan = {
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: [VT],
};

/** A plan of these servers as it is read from a file, with what is different about its top level. */
function saved(
  changes: object = {},
  servers: readonly ServerPlan[] = [server],
  isComplete = true,
): unknown {
  const tool = { name: 'setpoint', version: '0' };
  const own = { complete: isComplete };
  const document = documentWith(servers.map(documented), own);
  return { ...JSON.parse(rendered('json', document)), tool, ...changes };
}

const problemOf = (document: unknown, command: SavedReader = 'apply') => {
  const decoded = decodeSaved(document, command);
  return 'problem' in decoded ? decoded.problem : undefined;
};

test('a saved plan may have fields that this version does not know, of its own format', () => {
  expect(problemOf(saved({ later: true }))).toBeUndefined();
});

/** The same with one integration that was written, and one where nothing was to be done. */
const applied: ServerPlan = {
  ...server,
  integrations: [
    {
      ...VT,
      outcome: 'sent',
      changes: [{ ...subscribingChange(), outcome: 'sent' }],
    },
    { ...VT, name: 'us', id: 'us' },
  ],
};

/** The same with a change of this shape. */
function withChange(change: object) {
  const made = documented(server);
  const integrations = made.integrations.map((each) => {
    return { ...each, changes: [change] };
  });
  return { ...made, integrations };
}

describe('what is no plan is refused, with what it is instead', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a plan of a snapshot, even if only one server was read so',
      saved({}, [
        { ...server, name: 'other' },
        { ...server, snapshot: { takenAt: '2026-11-22T20:00:00Z' } },
      ]),
      /^it was made from a snapshot, not from the server$/,
    ],
    [
      'a shard',
      saved({ shard: { index: 1, count: 2, exit: 0 } }),
      /^it is one shard of a plan: merge/,
    ],
    [
      'a report without a format',
      saved({ formatVersion: undefined }),
      /^it is not a report of setpoint plan --report json$/,
    ],
    ['format v4.0', saved({ formatVersion: 'v4.0' }), /^it is not a report/],
    ['format 4.0b', saved({ formatVersion: '4.0b' }), /^it is not a report/],
    ['no servers', saved({ servers: 1 }), /shape of a plan at \/servers$/],
    ['no tool', saved({ tool: undefined }), /of a plan at its top level$/],
    [
      'a later format',
      saved({ formatVersion: '41.10' }),
      /^it has format 41\.10, and this setpoint reads 4\.0$/,
    ],
    [
      'a change without its sides, in what lacks more: the deepest place',
      saved({ tool: undefined, servers: [withChange({})] }),
      /shape of a plan at \/servers\/0\/integrations\/0\/changes\/0$/,
    ],
    ['a plan of some servers', saved({}, [server], false), /no complete plan$/],
    [
      'an apply of one of two servers',
      saved({}, [{ ...server, name: 'other' }, applied]),
      /^it is the report of an apply/,
    ],
    [
      'a server twice',
      saved({}, [server, server]),
      /^it names a server or an integration twice$/,
    ],
    [
      'an integration twice',
      saved({}, [{ ...server, integrations: [VT, VT] }]),
      /^it names a server or an integration twice$/,
    ],
    [
      'a glob that takes too long',
      saved({}, [server, { ...server, name: 'other', only: '?*a*a*a*a' }]),
      /too many wildcards$/,
    ],
  ])('%s', (_, document, expected) => {
    expect(problemOf(document)).toMatch(expected);
  });
});

test.each([
  ['plan', 'a change in it has no source'],
  ['compare', undefined],
])('a change of a %s that no file declares: %s', (command, problem) => {
  const document = saved({ command }, [
    { ...server, integrations: applied.integrations.slice(0, 1) },
  ]);
  const text = JSON.stringify(document).replace(/"source":\{[^}]*\},?/, '');
  expect(problemOf(JSON.parse(text), 'show')).toBe(problem);
});

test.each([
  ['show', [server, applied].slice(1), true, undefined],
  ['show', [server], false, undefined],
  ['show', [], true, 'it is the report of a run that made no complete plan'],
  ['merge', [], false, undefined],
  ['merge', [applied], true, undefined],
] as const)(
  '%s takes what apply does not',
  (command, servers, isComplete, problem) => {
    const document = saved({}, servers, isComplete);
    expect(problemOf(document, command)).toBe(problem);
  },
);

describe('an undo takes the report of what wrote', () => {
  test.each(['apply', 'undo'])('of %s, complete or not', (command) => {
    const report = saved({ command }, [applied], false);
    expect(problemOf(report, 'undo')).toBeUndefined();
  });
  test.each<[string, unknown, RegExp]>([
    [
      'a plan',
      saved({ command: 'plan' }),
      /^it is the report of setpoint plan/,
    ],
    ['what failed early', saved({ command: 'apply' }, []), /no complete plan$/],
    ['nothing', {}, /^it is not a report of setpoint apply --report json$/],
  ])('but not of %s', (_, report, problem) => {
    expect(problemOf(report, 'undo')).toMatch(problem);
  });
});
