import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/document.ts';
import { changeOf, documentWith, integrationOf, sampleDocument, serverOf } from '../../support/documents.ts';
import { rendered } from '../../support/rendered.ts';
import { issuesOf, suitesOf } from '../../support/sinks.ts';

/** The same with each place some lines further down. */
function moved(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) => (key === 'line' ? value + 7 : value));
}

describe('results stay the same when lines move', () => {
  test('of SARIF', () => {
    const prints = (document: Document) => rendered('sarif', document).match(/"setpoint\/v1": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
    expect(new Set(prints(sampleDocument())).size).toBe(17);
  });
  test('of Code Quality', () => {
    const prints = (document: Document) => rendered('gitlab', document).match(/"fingerprint": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
  });
});

test('what has no place stands at the head of the first file that has one', () => {
  const finding = { code: 'unreachable', severity: 'error', message: 'No answer.' } as const;
  const change = changeOf('vt', 9);
  const document = documentWith([serverOf('s', [integrationOf('vt', [change])])], { diagnostics: [finding] });
  const [first] = issuesOf(rendered('gitlab', document));
  expect(first).toMatchObject({ location: { path: change.source.file, lines: { begin: 1 } } });
});

test('a test fails by an error, by drift, and by an outcome that is not as planned', () => {
  const names = ['drift', 'failed', 'verified'] as const;
  const [drift, failed, verified] = names;
  const integrations = [
    integrationOf(drift, [changeOf(drift, 1, { label: 'drift' })]),
    integrationOf(failed, [changeOf(failed, 2, { outcome: 'failed' })]),
    integrationOf(verified, [changeOf(verified, 3, { label: 'drift', outcome: 'verified' })]),
  ];
  const [suite] = suitesOf(rendered('junit', documentWith([serverOf('s', integrations)])));
  expect(suite?.cases.map((each) => 'failure' in each)).toEqual([true, true, false]);
});
