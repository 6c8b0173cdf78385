import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FINDINGS } from '../../../src/core/findings/diagnostic.ts';
import { allFindingHelp } from '../../../src/core/findings/explained/help.ts';
import { allCodeHelp } from '../../../src/core/report/code-help.ts';
import { findingsMarkdown } from '../../../src/core/report/markdown/explanations.ts';

const all = allFindingHelp();

test('each code is in one group', () => {
  expect(all.map(({ code }) => code).sort()).toEqual(Object.keys(FINDINGS).sort());
});

describe('an explanation', () => {
  test.each(all)('of $code is two to four sentences beside the hint', ({ explanation, hint = '' }) => {
    const sentences = explanation.split(/(?<=[.?!]) (?=\S)/);
    expect([explanation, sentences.length >= 2 && sentences.length <= 4]).toEqual([explanation, true]);
    expect(explanation.endsWith('.')).toBe(true);
    expect(sentences).not.toContain(hint);
  });
  test.each(all)('of $code has two examples that differ', ({ wrong, right }) => {
    expect(wrong).not.toEqual(right);
  });
});

test('docs/findings.md is made from the same source: npm run build writes it anew', () => {
  expect(readFileSync('docs/findings.md', 'utf8')).toBe(findingsMarkdown(allCodeHelp()));
});

test('an anchor of docs/findings.md is a code', () => {
  const anchors = [...findingsMarkdown(all).matchAll(/^### (.*)$/gm)].map(([, anchor]) => anchor);
  expect(anchors.sort()).toEqual(Object.keys(FINDINGS).sort());
});
