import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsWithRefusals } from '../../../src/core/report/document-findings.ts';
import { visible } from '../../../src/core/report/escape.ts';
import type { Format } from '../../../src/core/report/formats.ts';
import { foreignDocument, foreignText } from '../../support/foreign-report.ts';
import { rendered } from '../../support/rendered.ts';
import {
  codeOf,
  commandsOf,
  INVISIBLE,
  issuesOf,
  resultsOf,
  suitesOf,
} from '../../support/sinks.ts';
import { seeds } from '../../support/soak.ts';

/** How many random texts go through each format. */
const TEXTS = seeds(30, 10_000);

/** A document of a text, and only its findings, in a format. */
function pagesOf(format: Format, text: string): readonly string[] {
  const document = foreignDocument(text);
  const pages = [document, { ...document, servers: [] }].map((each) =>
    rendered(format, each),
  );
  for (const page of pages) expect(page).not.toMatch(INVISIBLE);
  return pages;
}

/** How many changes a text has in its plan, and how many findings beside it. */
const CHANGES = foreignDocument('x').servers[0]?.summary.changes ?? 0;
const FINDINGS = findingsWithRefusals(foreignDocument('x')).length;

/** A sentence about setpoint.yaml. */
const LOOSENED = 1;

function forTexts(check: (text: string) => void): void {
  fc.assert(fc.property(foreignText, check), { numRuns: TEXTS });
}

describe('no foreign text escapes its sink', () => {
  test('of Markdown: it is code, and nothing else', () =>
    forTexts((text) => {
      const [plan, ...others] = pagesOf('markdown', text).map(codeOf);
      expect(plan?.spans).toContain(visible(text).replaceAll('|', '\\u{7c}'));
      expect(others.every(({ spans }) => spans.length > 0)).toBe(true);
    }));
  test('of annotations: it is in their properties and messages', () =>
    forTexts((text) => {
      const [plan] = pagesOf('github', text).map((page) => {
        const { commands, others } = commandsOf(page);
        expect(others).toEqual([]);
        for (const { name, properties } of commands) {
          expect(['error', 'warning', 'notice']).toContain(name);
          expect(
            Object.keys(properties).filter((key) => !PROPERTIES.has(key)),
          ).toEqual([]);
        }
        return commands;
      });
      expect(plan).toHaveLength(CHANGES + FINDINGS + LOOSENED);
      expect(plan?.map(({ properties }) => properties['file'])).toContain(
        visible(text),
      );
    }));
  test('of JUnit: it is in attributes and texts', () =>
    forTexts((text) => {
      const [suites] = pagesOf('junit', text).map(suitesOf);
      const [first] = suites?.[0]?.cases ?? [];
      expect([first?.['@_classname'], first?.['@_name']]).toEqual([
        visible(text),
        visible(text),
      ]);
    }));
  test('of Code Quality: it is in strings', () =>
    forTexts((text) => {
      const [issues] = pagesOf('gitlab', text).map(issuesOf);
      expect(issues).toHaveLength(CHANGES + FINDINGS + LOOSENED);
    }));
  test('of SARIF: it is no link and no placeholder', () =>
    forTexts((text) => {
      const [results] = pagesOf('sarif', text).map(resultsOf);
      expect(results).toHaveLength(CHANGES + FINDINGS + LOOSENED);
    }));
});

const PROPERTIES = new Set(['file', 'line', 'col', 'title']);
