import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { Report, View } from '../../../src/core/report/report.ts';
import { rendered } from '../../support/rendered.ts';
import { commandsOf, issuesOf, resultsOf, suitesOf } from '../../support/sinks.ts';

const NONE: Report = { kind: 'none' };

/** What each format names for a finding in a file, or without a place, seen from a folder of a repository. */
function filesOf(folder: string, file?: string, report = NONE) {
  const place = file === undefined ? undefined : { file, line: 2, column: 3 };
  const found = [diagnostic('idle-declaration', { of: 'entry', name: 'x' }, place)];
  const show = (format: 'github' | 'gitlab' | 'junit' | 'sarif') =>
    rendered(format, report, found, [], { folder });
  return {
    github: commandsOf(show('github')).commands.map(({ properties }) => properties['file']),
    gitlab: issuesOf(show('gitlab')).map(({ location }) => location.path),
    junit: suitesOf(show('junit')).flatMap(({ cases }) => cases.map((each) => each['@_file'])),
    sarif: resultsOf(show('sarif')).map(({ locations }) => locations[0]?.physicalLocation.artifactLocation),
  };
}

/** The same file in each format. */
const all = (path: string, uriBaseId?: string) => ({
  github: [path],
  gitlab: [path],
  junit: [path],
  sarif: [{ uri: path, ...(uriBaseId === undefined ? {} : { uriBaseId }) }],
});

describe('a file is named from the root of its repository', () => {
  test.each([
    ['', 'base/a.yaml', 'base/a.yaml'],
    ['team/config', 'base/a.yaml', 'team/config/base/a.yaml'],
    ['team/config', './a.yaml', 'team/config/a.yaml'],
    ['team/config', '../shared/a.yaml', 'team/shared/a.yaml'],
    ['team/config', '../../a.yaml', 'a.yaml'],
  ])('seen from %j: %j', (folder, file, path) => {
    expect(filesOf(folder, file)).toEqual(all(path, '%SRCROOT%'));
  });
  test('but for what lies outside of it', () => {
    expect(filesOf('team', '../../other/a.yaml')).toEqual(all('../other/a.yaml'));
    expect(filesOf('team', '/etc/a.yaml').gitlab).toEqual(['/etc/a.yaml']);
    expect(filesOf('team', '/etc/a.yaml').sarif).toEqual([{ uri: 'file:///etc/a.yaml' }]);
  });
  test('and what has no place stands in the project of the folder, where a format needs a place', () => {
    const { gitlab, sarif, github, junit } = filesOf('team');
    expect([gitlab, sarif]).toEqual([['team/setpoint.yaml'], all('team/setpoint.yaml', '%SRCROOT%').sarif]);
    expect([github, junit]).toEqual([[undefined], [undefined]]);
  });
  test('or in the project above, or else in the first file that is named', () => {
    const view = { folder: 'conf/base', project: 'conf/setpoint.yaml' };
    const placeless = [diagnostic('idle-declaration', { of: 'entry', name: 'x' })];
    const paths = (found: readonly Diagnostic[], of: Report, seen: Partial<View>) =>
      issuesOf(rendered('gitlab', of, found, [], seen)).map(({ location }) => location.path);
    expect(paths(placeless, NONE, view)).toEqual(['conf/setpoint.yaml']);
    const placed = diagnostic(
      'idle-declaration',
      { of: 'entry', name: 'y' },
      { file: '../a.yaml', line: 1, column: 1 },
    );
    expect(paths([...placeless, placed], NONE, { folder: 'conf/base' })).toEqual([
      'conf/a.yaml',
      'conf/a.yaml',
    ]);
  });
  test('as the run saw it that saved the plan', () => {
    const saved: Report = { kind: 'plan', isComplete: true, servers: [], folder: 'teams/blue' };
    expect(filesOf('elsewhere', 'a.yaml', saved)).toEqual(all('teams/blue/a.yaml', '%SRCROOT%'));
  });
  test('without the revision that it is of', () => {
    const base = { ref: 'HEAD~1', commit: 'c0ffee' };
    const diff: Report = { kind: 'diff', base, head: { ref: 'v1', commit: 'c0ffee' }, servers: [] };
    for (const ref of ['HEAD~1', 'v1'])
      expect(filesOf('team', `${ref}:team/a.yaml`, diff)).toEqual(all('team/a.yaml', '%SRCROOT%'));
  });
});

test('the same finding in two folders is not taken for one', () => {
  const found = [
    diagnostic('idle-declaration', { of: 'entry', name: 'x' }, { file: 'a.yaml', line: 1, column: 1 }),
  ];
  const known = ['', 'one', 'two'].map(
    (folder) => issuesOf(rendered('gitlab', NONE, found, [], { folder }))[0]?.fingerprint,
  );
  expect(new Set(known).size).toBe(3);
});
