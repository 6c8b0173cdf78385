import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnostic, FINDINGS } from '../../../src/core/findings/diagnostic.ts';
import type { Entry } from '../../../src/core/findings/entry.ts';
import { exitCode } from '../../../src/core/findings/exit-code.ts';
import { hasErrors } from '../../../src/core/findings/explain.ts';

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

test('severities and exit codes are known without a sentence', () => {
  const unworded = {
    get address(): string {
      throw new Error('a sentence was worded');
    },
  };
  const error = diagnostic('plain-secret', unworded);
  const warning = diagnostic('broken-url', unworded);
  expect(hasErrors([warning])).toBe(false);
  expect(hasErrors([warning, error])).toBe(true);
  expect(exitCode([warning, error])).toBe(3);
});
