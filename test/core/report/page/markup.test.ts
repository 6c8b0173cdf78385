import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  element,
  htmlDocument,
  type Markup,
} from '../../../../src/core/report/page/markup.ts';
import { foreignText } from '../../../support/foreign-report.ts';

/** An element as it stands in a page. */
function written(markup: Markup): string {
  const page = htmlDocument('', markup);
  return /<body>(.*)<script>/s.exec(page)?.[1] ?? '';
}

test('texts are escaped, markup of ours is not', () => {
  const bold = element('b', {}, '<i>&"');
  expect(written(element('i', { title: '"><i>' }, 'a<b ', bold, 3))).toBe(
    '<i title="&quot;&gt;&lt;i&gt;">a&lt;b <b>&lt;i&gt;&amp;&quot;</b>3</i>',
  );
});

test('what looks like markup but is data is no markup', () => {
  const data = JSON.parse('["<b>", {"markup": "<b>"}]');
  expect(() => written(element('i', {}, data))).toThrow();
});

test.each([
  ['#place', true],
  ['https://a.example/b', true],
  ['http://a.example/b', false],
  ['javascript:alert(1)', false],
  [' https://a.example', false],
  ['//a.example', false],
  ['data:text/html,x', false],
])('a link to %s', (href, isWritten) => {
  const link = written(element('a', { href }));
  expect(link.includes('href')).toBe(isWritten);
});

test('no text leaves an attribute or an element', () => {
  const check = (text: string): void => {
    const markup = written(element('b', { title: text, href: text }, text));
    expect(markup).toMatch(
      /^<b title="[^"<>]*"( href="[^"<>]*")?>[^<>]*<\/b>$/,
    );
  };
  fc.assert(fc.property(foreignText, check), { numRuns: 300 });
});
