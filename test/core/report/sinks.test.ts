import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut } from '../../../src/core/findings/words.ts';
import { visible } from '../../../src/core/report/escape.ts';
import type { Format } from '../../../src/core/report/formats.ts';
import {
  foldedDocument,
  foreignApply,
  foreignDocument,
  foreignText,
} from '../../support/foreign-report.ts';
import { FORMATS, rendered } from '../../support/rendered.ts';
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
const TEXTS = seeds(15, 10_000);

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
const FINDINGS = foreignDocument('x').diagnostics.length;

/** A refusal. */
const OTHERS = 1;

function forTexts(check: (text: string) => void, numRuns = TEXTS): void {
  fc.assert(fc.property(foreignText, check), { numRuns });
}

describe('no foreign text escapes its sink', () => {
  test.each(FORMATS)('nothing is invisible in %s', (format) => {
    forTexts((text) => {
      expect(pagesOf(format, text)).toHaveLength(2);
    });
  });
  test('of Markdown: it is code, and nothing else', () =>
    forTexts((text) => {
      const name = cut(visible(text), '', 100);
      const linked = {
        ...foreignDocument(text),
        repository: `https://git.example/${text}`,
        commit: '0123456789abcdef0123456789abcdef01234567',
      };
      const documents = [
        linked,
        foreignApply(text),
        { ...foreignDocument(text), servers: [] },
      ];
      for (const document of documents) {
        const page = rendered('markdown', document);
        expect(page).not.toMatch(INVISIBLE);
        expect(page.length).toBeLessThanOrEqual(60_000);
        expect(commandsOf(page).commands).toEqual([]);
        const { spans } = codeOf(page);
        expect(spans.length).toBeGreaterThan(1);
        if (document.servers.length > 0) expect(spans).toContain(name);
      }
    }));
  test('of Markdown: folds too', () =>
    forTexts(
      (text) => {
        const page = rendered('markdown', foldedDocument(text));
        expect(page).toContain('<details>\n<summary>');
        expect(page).not.toMatch(INVISIBLE);
        codeOf(page);
      },
      Math.ceil(TEXTS / 4),
    ));
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
      expect(plan).toHaveLength(CHANGES + FINDINGS + OTHERS);
      expect(plan?.map(({ properties }) => properties['file'])).toContain(
        visible(text),
      );
    }));
  test('of JUnit: it is in attributes', () =>
    forTexts((text) => {
      const [suites] = pagesOf('junit', text).map(suitesOf);
      const cases = suites?.[0]?.cases ?? [];
      expect(cases).toHaveLength(CHANGES + FINDINGS + OTHERS);
      const [first] = cases.map((each) => each['@_file']).filter(Boolean);
      expect(first).toBe(visible(text));
    }));
  test('of Code Quality: it is in strings', () =>
    forTexts((text) => {
      const [issues] = pagesOf('gitlab', text).map(issuesOf);
      expect(issues).toHaveLength(CHANGES + FINDINGS + OTHERS);
    }));
  test('of SARIF: it is no link and no placeholder', () =>
    forTexts((text) => {
      const [results] = pagesOf('sarif', text).map(resultsOf);
      expect(results).toHaveLength(CHANGES + FINDINGS + OTHERS);
    }));
});

const PROPERTIES = new Set(['file', 'line', 'col', 'title']);
