import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forLog, visible } from '../../../../src/core/report/escape.ts';
import { PLAIN, type View } from '../../../../src/core/report/report.ts';
import { renderFindings } from '../../../../src/core/report/text/findings.ts';
import { renderLists } from '../../../../src/core/report/text/list.ts';
import { renderText } from '../../../../src/core/report/text/text.ts';
import {
  foreignDocument,
  foreignText,
} from '../../../support/foreign-report.ts';
import { INVISIBLE } from '../../../support/sinks.ts';
import { seeds } from '../../../support/soak.ts';

/** How many random texts go through each report. */
const TEXTS = seeds(25, 10_000);

/** So wide that no text of these is broken. */
const WIDE = 100_000;

const VIEWS: readonly Partial<View>[] = [
  {},
  { width: 40 },
  { full: true, verbose: true },
  { outcomes: true },
];

function forTexts(check: (text: string) => void): void {
  fc.assert(fc.property(foreignText, check), { numRuns: TEXTS });
}

/** Fails if a terminal or a runner would obey a text. */
function expectHarmless(shown: string): void {
  expect(shown).not.toMatch(INVISIBLE);
  for (const line of shown.split('\n')) {
    expect(line).not.toMatch(/^\s*::/);
    expect(line).not.toMatch(/##\w*\[/);
    expect(forLog(line)).toBe(line);
  }
}

/** A colour by each tone; all of them end at once. */
const COLOURS = Object.fromEntries(
  Object.keys(PLAIN).map((name, at) => [
    name,
    (text: string) => `\u001b[${31 + at}m${text}\u001b[0m`,
  ]),
) as unknown as View['paint'];

describe('no foreign text escapes a terminal', () => {
  test('in a report', () => {
    forTexts((text) => {
      const document = foreignDocument(text);
      for (const view of VIEWS) {
        const all = { paint: PLAIN, width: 80, ...view };
        expectHarmless(renderText(document, all));
      }
    });
  });

  test('in colours: only ours are there', () => {
    forTexts((text) => {
      const view = { paint: COLOURS, width: 80 };
      const shown = renderText(foreignDocument(text), view);
      expectHarmless(stripVTControlCharacters(shown));
      const codes = shown.split('\u001b').slice(1);
      for (const code of codes) expect(code).toMatch(/^\[\d\d?m/);
    });
  });

  test('in findings', () => {
    forTexts((text) => {
      const view = { paint: PLAIN, width: 80, sources: new Map() };
      const findings = foreignDocument(text).diagnostics;
      expectHarmless(renderFindings(findings, { ...view, verbose: true }));
    });
  });

  test('in lists', () => {
    forTexts((text) => {
      const listed = { id: text, name: text, status: text, options: 1 };
      const servers = [{ name: text, integrations: [listed, listed] }];
      const shown = renderLists(
        { servers, isFleet: true },
        { paint: PLAIN, width: 80 },
      );
      // As the shell writes it.
      expectHarmless(forLog(shown));
    });
  });

  test('and none is lost: it is shown as what it is', () => {
    forTexts((text) => {
      const view = { paint: PLAIN, width: WIDE, full: true };
      // No text that is tried has this mark.
      const mark = '<findings>';
      const [changes = '', end = ''] = renderText(
        foreignDocument(text),
        view,
        mark,
      ).split(mark);
      const shown = visible(text).trimEnd();
      // A colon at the start of a line is escaped, elsewhere it stays.
      expect(changes.replaceAll('\\u{3a}', ':')).toContain(shown);
      expect(end.replaceAll('\\u{3a}', ':')).toContain(shown);
    });
  });
});
