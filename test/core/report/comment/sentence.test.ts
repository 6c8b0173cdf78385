import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { sentence } from '../../../../src/core/report/comment/inline.ts';
import { visible } from '../../../../src/core/report/escape.ts';
import { foreignText } from '../../../support/foreign-report.ts';

test.each([
  ['Did you mean apikey?', 'Did you mean apikey?'],
  ["users' own values, 30 % of them", "users' own values, 30 % of them"],
  ['until 2026-12-31, 21:30 UTC', 'until 2026-12-31, 21:30 UTC'],
  ['vt has no option apiKey.', 'vt has no option `apiKey`.'],
  ['a (vt_node_1), b', 'a (`vt_node_1`), b'],
  ['Pass --allow exposes-secret to', 'Pass `--allow exposes-secret` to'],
  ['pass (--allow-changes 104).', 'pass (`--allow-changes 104`).'],
  ['is a.b c.d, e.f then', 'is `a.b c.d`, `e.f` then'],
  ['see [x](y) <b> www.x.example', 'see `[x](y) <b> www.x.example`'],
  ['a ` b `` c', 'a `` ` `` b ``` `` ``` c'],
  ['x` `y', '``x` `y``'],
  ['- a', '`-` a'],
  ['1. a 2. b', '`1`. a 2. b'],
  ['line\nbreak', '`line\\nbreak`'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

/** What a reader sees of a paragraph; undefined if it is anything else. */
function readingOf(markdown: string): string | undefined {
  const { children } = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const [paragraph, ...others] = children;
  if (paragraph?.type !== 'paragraph' || others.length > 0) return undefined;
  let text = '';
  for (const node of paragraph.children) {
    if (node.type !== 'text' && node.type !== 'inlineCode') return undefined;
    text += node.value;
  }
  return text.replace(/\s/gu, '');
}

test('is read as it is written, whole, at the start of a line too', () => {
  const texts = fc.oneof(foreignText, fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 40 }), (words) => {
      const text = `word ${words.join(' ')}`.slice(words.length % 2 ? 0 : 5);
      fc.pre(text.trim() !== '');
      const shown = visible(text).replace(/\s/gu, '');
      expect(readingOf(sentence(text))).toBe(shown);
    }),
  );
});
