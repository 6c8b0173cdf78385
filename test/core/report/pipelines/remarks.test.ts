import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan-document.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';
import { rendered } from '../../../support/rendered.ts';
import { commandsOf, issuesOf, resultsOf } from '../../../support/sinks.ts';

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
    expect(new Set(prints(sampleDocument())).size).toBe(16);
  });
  test('that their words name', () => {
    const printOf = (line: number) => {
      const message = `It is declared at a.yaml:${line}:3, and in line ${line}.`;
      const diagnostics = [{ code: 'x', severity: 'error' as const, message }];
      const document = documentWith([], { diagnostics });
      return issuesOf(rendered('gitlab', document))[0]?.fingerprint;
    };
    expect(printOf(12)).toBe(printOf(7));
  });
});

test('what has no place has none in SARIF and annotations, and setpoint.yaml in Code Quality', () => {
  const finding = {
    code: 'unreachable',
    severity: 'error' as const,
    message: 'No answer.',
    server: 's',
  };
  const servers = [serverOf('s', [integrationOf('vt', [changeOf('vt', 9)])])];
  const document = documentWith(servers, { diagnostics: [finding] });
  const issues = issuesOf(rendered('gitlab', document));
  const files = issues.map(({ location }) => location.path);
  expect(files).toEqual(['setpoint.yaml', 'base/integrations.yaml']);
  const results = resultsOf(rendered('sarif', document));
  expect(results.map((each) => 'locations' in each)).toEqual([false, true]);
  const { commands } = commandsOf(rendered('github', document));
  const named = commands.map(({ properties }) => 'file' in properties);
  expect(named).toEqual([false, true]);
});

describe('findings of one cause', () => {
  const found = {
    code: 'unknown-option',
    severity: 'error' as const,
    message: 'zeek has no option limt.',
    hint: 'Did you mean limit?',
  } as const;
  const issuesFor = (diagnostics: Document['diagnostics']) =>
    issuesOf(rendered('gitlab', documentWith([], { diagnostics })));
  const place = (line: number) => ({ file: 'a.yaml', line, column: 1 });

  test('are one remark with all of their servers', () => {
    const [issue, ...others] = issuesFor([
      { ...found, server: 'a', integrations: ['zeek'] },
      { ...found, server: 'b', integrations: ['zeek'] },
    ]);
    expect(others).toEqual([]);
    expect(issue?.description).toContain('zeek has no option limt (a and b).');
  });
  test('are at the first place, and say how many more there are', () => {
    const places = [place(3), place(5), place(8)];
    const diagnostics = [{ ...found, places }];
    const [issue, ...others] = issuesFor(diagnostics);
    expect(others).toEqual([]);
    expect(issue?.location).toEqual({ path: 'a.yaml', lines: { begin: 3 } });
    const words = 'limt. Also at a.yaml:5:1, a.yaml:8:1. Did you mean limit?';
    for (const format of ['github', 'gitlab', 'sarif', 'junit'] as const) {
      const document = documentWith([], { diagnostics });
      expect(rendered(format, document)).toContain(words);
    }
  });
});

test('a refusal is one remark at the first change that it is about', () => {
  const refusal = {
    code: 'risk-refused',
    severity: 'error' as const,
    message: 'The risk exposes-secret is refused: vt.limit.',
    hint: 'Pass --allow exposes-secret.',
    risk: 'exposes-secret',
    addresses: ['vt.options.limit.value'],
    places: [{ file: 'base/integrations.yaml', line: 9, column: 7 }],
  } as const;
  const integrations = [integrationOf('vt', [changeOf('vt', 9)])];
  const servers = ['a', 'b'].map((name) =>
    serverOf(name, integrations, { refusals: [{ ...refusal, server: name }] }),
  );
  const all = issuesOf(rendered('gitlab', documentWith(servers)));
  const [issue, ...others] = all.filter(
    ({ check_name }) => check_name === refusal.code,
  );
  expect(others).toEqual([]);
  expect(issue?.location.lines.begin).toBe(9);
  expect(issue?.description).toContain('vt.limit (a and b).');
});
