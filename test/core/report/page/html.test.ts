import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  html,
  htmlDocument,
  type Markup,
} from '../../../../src/core/report/page/html.ts';
import { foreignText } from '../../../support/foreign-report.ts';
import { type HtmlElement, parsedPage } from '../../../support/html.ts';

/** The body of a page as a browser reads it. */
function parsed(body: Markup): HtmlElement {
  const [read] = parsedPage(htmlDocument('', body)).named('body');
  if (read === undefined) throw new Error('no body');
  return read;
}

test('markup of ours stays as it is, texts do not', () => {
  const bold = html`<b>${'<i>'}</b>`;
  const page = parsed(html`<p>a${[bold, 3, undefined, false, '<u>']}</p>`);
  expect(page.text()).toContain('a<i>3<u>');
  expect(page.named('b')).toHaveLength(1);
  expect([...page.named('i'), ...page.named('u')]).toEqual([]);
});

test('what looks like markup but is data is no markup', () => {
  const data = JSON.parse('[{"markup": "<b>"}]');
  expect(() => html`<i>${data}</i>`).toThrow();
});

test('no text leaves its element or its attribute', () => {
  const check = (text: string): void => {
    const page = parsed(html`<b title="${text}" id="${[text]}">${text}</b>`);
    const [bold] = page.named('b');
    expect([...(bold?.attributes.keys() ?? [])]).toEqual(['title', 'id']);
    expect(bold?.attribute('title')).toBe(bold?.text());
    expect(bold?.attribute('id')).toBe(bold?.text());
    // The body, the element and the script.
    expect(page.all()).toHaveLength(3);
  };
  fc.assert(fc.property(foreignText, check), { numRuns: 300 });
});

test('templates have values between tags and in double quotes only', () => {
  const folder = 'src/core/report/page';
  const files = readdirSync(folder).filter((name) => name !== 'html.ts');
  let values = 0;
  for (const name of files) {
    const source = readFileSync(`${folder}/${name}`, 'utf8');
    const text = source.replaceAll(/\$\{[^{}`]*\}/g, '${}');
    for (const [tag] of text.matchAll(/<[a-z][^>]*>/g)) {
      values += tag.split('${}').length - 1;
      // A whole attribute may stand behind another one.
      const bare = tag.replaceAll(/ [a-z-]+="[^"]*"(\$\{\})?/g, '');
      expect(bare).not.toContain('${');
    }
  }
  expect(values).toBeGreaterThan(20);
});
