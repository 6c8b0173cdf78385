import { describe, expect, test } from 'vitest';
import { NOTHING, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { decodeSaved } from '../../../src/core/plan/saved.ts';
import { subscribingChange } from '../../support/changes.ts';
import { documentWith } from '../../support/documents.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { rendered } from '../../support/rendered.ts';
import { documented } from '../../support/saved-plan.ts';

const server: ServerPlan = {
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: [{ ...NOTHING, name: 'vt', id: 'vt', status: 'running' }],
};

/** A plan of these servers as it is read from a file, with what is different about its top level. */
function saved(
  changes: object = {},
  servers: readonly ServerPlan[] = [server],
  isComplete = true,
): unknown {
  const tool = { name: 'setpoint', version: '0' };
  return {
    ...JSON.parse(
      rendered(
        'json',
        documentWith(servers.map(documented), { complete: isComplete }),
      ),
    ),
    tool,
    ...changes,
  };
}

const problemOf = (document: unknown) => {
  const decoded = decodeSaved(document, 'apply');
  return 'problem' in decoded ? decoded.problem : undefined;
};

test('a saved plan may have fields that this version does not know, of its own format', () => {
  expect(problemOf(saved({ later: true }))).toBeUndefined();
});

/** The same with one integration that was written, and one where nothing was to be done. */
const applied: ServerPlan = {
  ...server,
  integrations: server.integrations.flatMap((each) => [
    {
      ...each,
      outcome: 'sent',
      changes: [{ ...subscribingChange(), outcome: 'sent' }],
    },
    { ...each, name: 'us', id: 'us' },
  ]),
};

/** The same with a change of this shape. */
function withChange(change: object) {
  const made = documented(server);
  return {
    ...made,
    integrations: made.integrations.map((each) => ({
      ...each,
      changes: [change],
    })),
  };
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
      /^it is not a report of/,
    ],
    [
      'a later format',
      saved({ formatVersion: '4.1' }),
      /^it has format 4\.1, and this setpoint reads 4\.0$/,
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
      saved({}, [
        {
          ...server,
          integrations: [...server.integrations, ...server.integrations],
        },
      ]),
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
  const decoded = decodeSaved(JSON.parse(text), 'show');
  expect('problem' in decoded ? decoded.problem : undefined).toBe(problem);
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
    const decoded = decodeSaved(saved({}, servers, isComplete), command);
    expect('problem' in decoded ? decoded.problem : undefined).toBe(problem);
  },
);

describe('an undo takes the report of what wrote', () => {
  const problemOfUndo = (document: unknown) => {
    const decoded = decodeSaved(document, 'undo');
    return 'problem' in decoded ? decoded.problem : undefined;
  };
  test.each(['apply', 'undo'])('of %s, complete or not', (command) => {
    const report = saved({ command }, [applied], false);
    expect(problemOfUndo(report)).toBeUndefined();
  });
  test.each<[string, unknown, RegExp]>([
    [
      'a plan',
      saved({ command: 'plan' }),
      /^it is the report of setpoint plan/,
    ],
    [
      'a run that failed early',
      saved({ command: 'apply' }, []),
      /no complete plan$/,
    ],
  ])('but not of %s', (_, report, problem) => {
    expect(problemOfUndo(report)).toMatch(problem);
  });
});
