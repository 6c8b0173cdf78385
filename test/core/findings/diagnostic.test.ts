import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aboutField, aboutFields } from '../../../src/core/findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  distinct,
  FINDINGS,
} from '../../../src/core/findings/diagnostic.ts';
import type { Entry } from '../../../src/core/findings/entry.ts';
import { exitCode } from '../../../src/core/findings/exit-code.ts';
import {
  diagnosticDocuments,
  hasErrors,
} from '../../../src/core/findings/explain.ts';

const entries = Object.entries(FINDINGS).map(
  ([code, entry]): [string, Entry<never>] => [code, entry],
);

test.each(entries)('%s has a title and a message', (_, { title, message }) => {
  expect(title).toMatch(/[^\s.]$/);
  expect(typeof message === 'string' ? message : '.').toMatch(/\.$/);
});

test('a title tells a code from all others', () => {
  expect(new Set(entries.map(([, { title }]) => title)).size).toBe(
    entries.length,
  );
});

/** All of `src` but the tables of findings themselves. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(
    (path) =>
      path.endsWith('.ts') &&
      !/^core.findings.(?!diagnostic|explain)/.test(path),
  )
  .map((path) => readFileSync(join('src', path), 'utf8'))
  .join('\n');

test.each(entries)('%s is raised', (code) => {
  // Failures of one integration are named after its outcome.
  const isRaised =
    sources.includes(`'${code}'`) || /^apply-(failed|blocked)$/.test(code);
  expect(isRaised).toBe(true);
});

describe('a finding names', () => {
  const worded = (finding: Diagnostic) => {
    const [document] = diagnosticDocuments([finding]);
    return [document?.addresses, document?.integrations];
  };
  const dotted = {
    kind: 'value',
    integration: 'a.options.b',
    option: 'c.autosubscribe',
  } as const;
  test('its fields, and each integration once', () => {
    const flag = { kind: 'autosubscribe', integration: 'vt' } as const;
    const value = { kind: 'value', integration: 'vt', option: 'a' } as const;
    const facts = aboutFields([flag, value, dotted]);
    expect(worded(diagnostic('not-converged', facts))).toEqual([
      facts.addresses,
      ['vt', 'a.options.b'],
    ]);
  });
  test('the integration alone for a whole entry', () => {
    const other = { file: 'a.yaml', line: 1, column: 1 };
    const facts = { address: 'vt', integration: 'vt', other };
    expect(worded(diagnostic('duplicate-field', facts))).toEqual([
      undefined,
      ['vt'],
    ]);
  });
});

test('severities and exit codes are known without a sentence', () => {
  const unworded = {
    get address(): string {
      throw new Error('a sentence was worded');
    },
    integration: 'vt',
    other: { file: 'a.yaml', line: 1, column: 1 },
    until: '2026-11-21',
  };
  const error = diagnostic('duplicate-field', unworded);
  const warning = diagnostic('waiver-over', unworded);
  expect(hasErrors([warning])).toBe(false);
  expect(hasErrors([warning, error])).toBe(true);
  expect(exitCode([warning, error])).toBe(3);
});

test('a secret that is certain is not likely too, at the same place', () => {
  const subject = {
    kind: 'value',
    integration: 'vt',
    option: 'apiKey',
  } as const;
  const about = aboutField(subject);
  const place = { file: 'a.yaml', line: 3, column: 7 };
  const secretAt = (isCertain: boolean, line: number) =>
    diagnostic('plain-secret', { ...about, isCertain }, { ...place, line });
  const [likely, certain] = [secretAt(false, 3), secretAt(true, 3)];
  const elsewhere = secretAt(false, 4);
  const found = distinct([likely, certain, certain, elsewhere]);
  expect(found).toEqual([certain, elsewhere]);
});
