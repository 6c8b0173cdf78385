import { describe, expect, test } from 'vitest';
import { parseProject } from '../../../src/core/config/project.ts';
import { diffProjects } from '../../../src/core/diff/project-diff.ts';

const SERVERS = `servers:
  production: { url: "https://p.example", config: [a.yaml], labels: { tier: p } }
  staging: { url: "https://s.example", config: [a.yaml], labels: { tier: s } }`;
const project = (rules: string) => {
  const { value } = parseProject({ path: 'setpoint.yaml', text: `version: 1\n${SERVERS}\n${rules}\n` });
  if (value === undefined) throw new Error('no project');
  return value;
};

/** Each difference: how, of what, and whether it is weaker. */
const fields = (before: string, after: string) =>
  diffProjects(project(before), project(after)).flatMap((entry) =>
    entry.fields.map(({ address, change, isWeaker }) => `${change} ${address}${isWeaker ? ' weaker' : ''}`),
  );

const waivers = (...items: readonly string[]) => `waivers: [${items.join(', ')}]`;
const slow = '{ address: a.options.b, until: 2026-12-31, reason: slow }';
const known = '{ address: a.options.c, until: 2026-12-31, reason: known }';

describe('what a project asks of plans', () => {
  test.each([
    ['policy: { exposes-secret: error }', 'policy: { "exposes-secret": error } # so'],
    [waivers(slow, known), waivers(known, slow)],
    [waivers(slow, slow), waivers(slow, slow)],
  ])('is the same whatever its form and order: %s', (before, after) => {
    expect(fields(before, after)).toEqual([]);
  });
  test.each([
    ['policy: { exposes-secret: error }', '', ['released policy.exposes-secret weaker']],
    ['', 'policy: { exposes-secret: error }', ['added policy.exposes-secret']],
    ['', 'policy: { exposes-secret: warn }', ['added policy.exposes-secret']],
    [
      'policy: { secret-max-age: 90d }',
      'policy: { secret-max-age: 91d }',
      ['changed policy.secret-max-age weaker'],
    ],
    ['policy: { secret-max-age: 90d }', 'policy: { secret-max-age: 89d }', ['changed policy.secret-max-age']],
    ['policy: { secret-max-age: 90d }', '', ['released policy.secret-max-age weaker']],
  ])('by its policy: %s -> %s', (before, after, expected) => {
    expect(fields(before, after)).toEqual(expected);
  });
  test.each([
    ['', waivers(slow), ['added waivers.a.options.b weaker']],
    [waivers(slow), '', ['released waivers.a.options.b']],
    [waivers(slow), waivers(slow.replace('12-31', '12-30')), ['changed waivers.a.options.b']],
    [waivers(slow), waivers(slow.replace('2026', '2027')), ['changed waivers.a.options.b weaker']],
    [waivers(slow), waivers(slow.replace('reason', 'owner: soc, reason')), ['changed waivers.a.options.b']],
    [
      waivers(slow.replace('reason', 'server: production, reason')),
      waivers(slow),
      ['changed waivers.a.options.b weaker'],
    ],
    [
      waivers(slow),
      waivers(slow.replace('reason', 'server: production, reason')),
      ['changed waivers.a.options.b'],
    ],
    [
      waivers(slow.replace('reason', 'server: tier=p, reason')),
      waivers(slow.replace('reason', 'server: production, reason')),
      ['changed waivers.a.options.b'],
    ],
    [
      waivers(slow.replace('reason', 'server: tier=p, reason')),
      waivers(slow.replace('reason', 'server: staging, reason')),
      ['changed waivers.a.options.b weaker'],
    ],
    [waivers(slow), waivers(known), ['released waivers.a.options.b', 'added waivers.a.options.c weaker']],
    [
      waivers(slow),
      waivers(slow.replace('options.b', 'options.c')),
      ['released waivers.a.options.b', 'added waivers.a.options.c weaker'],
    ],
    [
      waivers(slow),
      waivers(slow.replace('options.b', 'options.c'), slow),
      ['added waivers.a.options.c weaker'],
    ],
  ])('by its waivers: %s -> %s', (before, after, expected) => {
    expect(fields(before, after)).toEqual(expected);
  });
  test('has its place, at the base where it is gone', () => {
    const rules = 'policy:\n  plain-secret: error';
    const places = (before: string, after: string) =>
      diffProjects(project(before), project(after)).flatMap((entry) =>
        entry.fields.map(({ source }) => source.line),
      );
    expect([places(rules, ''), places('', rules)]).toEqual([[6], [6]]);
  });
  test('that is new or gone altogether is compared with nothing', () => {
    const one = project('policy: { plain-secret: error }');
    expect(diffProjects(undefined, one).map(({ name, change }) => [name, change])).toEqual([
      ['policy', 'added'],
    ]);
    expect(diffProjects(one).map(({ name, change }) => [name, change])).toEqual([['policy', 'released']]);
  });
});
