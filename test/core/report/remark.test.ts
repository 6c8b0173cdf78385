import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/plan.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../support/documents.ts';
import { rendered } from '../../support/rendered.ts';
import {
  commandsOf,
  issuesOf,
  resultsOf,
  suitesOf,
} from '../../support/sinks.ts';

/** The same with each place some lines further down. */
function moved(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'line' ? value + 7 : value,
  );
}

describe('results stay the same when lines move', () => {
  test('of SARIF', () => {
    const prints = (document: Document) =>
      rendered('sarif', document).match(/"setpoint\/v1": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
    expect(new Set(prints(sampleDocument())).size).toBe(17);
  });
  test('of Code Quality', () => {
    const prints = (document: Document) =>
      rendered('gitlab', document).match(/"fingerprint": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
  });
});

describe('what has no place', () => {
  const finding = {
    code: 'unreachable',
    severity: 'error',
    message: 'No answer.',
    server: 's',
  } as const;
  const servers = [serverOf('s', [integrationOf('vt', [changeOf('vt', 9)])])];
  const document = documentWith(servers, {
    diagnostics: [finding],
    loosened: ['protected was removed'],
  });
  test('has none in SARIF and annotations, and setpoint.yaml in Code Quality', () => {
    const files = issuesOf(rendered('gitlab', document)).map(
      ({ location }) => location.path,
    );
    expect(files).toEqual([
      'setpoint.yaml',
      'setpoint.yaml',
      'base/integrations.yaml',
    ]);
    expect(
      resultsOf(rendered('sarif', document)).map((each) => 'locations' in each),
    ).toEqual([...[false, false, true]]);
    const { commands } = commandsOf(rendered('github', document));
    expect(commands.map(({ properties }) => 'file' in properties)).toEqual([
      false,
      false,
      true,
    ]);
  });
  test('is a test of its own in JUnit', () => {
    const [suite] = suitesOf(rendered('junit', document));
    expect(
      suite?.cases.map((each) => [
        each['@_name'],
        'failure' in each,
        '@_file' in each,
      ]),
    ).toEqual([
      ['vt', false, true],
      ['unreachable', true, false],
      ['loosened', false, false],
    ]);
  });
  test('is a warning if setpoint.yaml is less strict', () => {
    const [, loosened] = commandsOf(rendered('github', document)).commands;
    expect(loosened).toMatchObject({
      name: 'warning',
      message: 'protected was removed',
    });
  });
});

test('a test fails by an error, by drift, and by an outcome that is not as planned', () => {
  const names = ['drift', 'failed', 'verified'] as const;
  const [drift, failed, verified] = names;
  const integrations = [
    integrationOf(drift, [changeOf(drift, 1, { label: 'drift' })]),
    integrationOf(failed, [changeOf(failed, 2, { outcome: 'failed' })]),
    integrationOf(verified, [
      changeOf(verified, 3, { label: 'drift', outcome: 'verified' }),
    ]),
  ];
  const [suite] = suitesOf(
    rendered('junit', documentWith([serverOf('s', integrations)])),
  );
  expect(suite?.cases.map((each) => 'failure' in each)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a finding with several causes is at its first place, and says how many more there are', () => {
  const [line, ...others] = [3, 5, 8].map((at) => ({
    ...{ file: 'a.yaml', line: at, column: 1 },
  }));
  const finding = {
    ...{
      code: 'apply-failed',
      severity: 'error',
      message: 'Not changed: a, b.',
    },
    ...line,
    places: [line, ...others],
  };
  const document = documentWith([], {
    diagnostics: [finding as Document['diagnostics'][number]],
  });
  const words = 'Not changed: a, b. The same in 2 more places.';
  const [issue, ...rest] = issuesOf(rendered('gitlab', document));
  expect(rest).toEqual([]);
  expect(issue).toMatchObject({
    description: expect.stringContaining(words),
    location: { path: 'a.yaml', lines: { begin: 3 } },
  });
  for (const format of ['github', 'sarif', 'junit'] as const)
    expect(rendered(format, document)).toContain(words);
});
