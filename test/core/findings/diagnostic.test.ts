import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FINDINGS } from '../../../src/core/findings/diagnostic.ts';
import type { Entry } from '../../../src/core/findings/entry.ts';

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
