import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan-document.ts';
import { visible } from '../../../../src/core/report/escape.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import {
  foreignApply,
  foreignDocument,
  foreignText,
} from '../../../support/foreign-report.ts';
import { type HtmlElement, parsedPage } from '../../../support/html.ts';
import { INVISIBLE } from '../../../support/sinks.ts';
import { seeds } from '../../../support/soak.ts';

/** Attributes that run, load or send something. */
const SCRIPTED = /^(on|style$|src|srcset$|srcdoc$|action$|formaction$)/;

function pageOf(document: Document): HtmlElement {
  const html = renderPage(document, { paint: PLAIN, width: 80 });
  expect(html).not.toMatch(INVISIBLE);
  return parsedPage(html);
}

const REPOSITORY = {
  repository: 'https://git.example/a',
  commit: '0'.repeat(40),
};

/** Documents with a text in all places, and with links to files. */
function documentsOf(text: string): Document[] {
  const document = foreignDocument(text);
  const { commit } = REPOSITORY;
  return [
    { ...document, ...REPOSITORY },
    { ...foreignApply(text), ...REPOSITORY },
    { ...document, commit, repository: `https://git.example/${text}` },
    { ...document, commit, repository: text },
    { ...document, servers: [] },
  ];
}

test('no foreign text is an element, an attribute or a link of its own', () => {
  const check = (text: string): void => {
    for (const document of documentsOf(text)) {
      const page = pageOf(document);
      for (const element of page.all()) {
        for (const name of element.attributes.keys()) {
          expect(name).not.toMatch(SCRIPTED);
        }
        const href = element.attribute('href') ?? '#';
        expect(href).toMatch(/^(#|https:\/\/[\w.:~%/-]+#L\d+$)/);
      }
      expect(page.named('script')).toHaveLength(1);
      expect(page.named('style')).toHaveLength(1);
    }
  };
  fc.assert(fc.property(foreignText, check), { numRuns: seeds(12, 10_000) });
});

/** Texts of one kind of value: none has lines, or is left out as empty. */
const harmless = fc.stringMatching(/^[a-z]{12}$/);

/** The same texts with all that means something in HTML. */
const MARKUP = '"><img src=x onerror=alert(1)></script></style><!--&lt;';

test('a page of hostile texts has no other elements than one of harmless texts', () => {
  const check = (word: string): void => {
    const plain = pageOf(foreignDocument(word));
    const hostile = pageOf(foreignDocument(`${word.slice(0, 4)}${MARKUP}`));
    const shown = visible(`${word.slice(0, 4)}${MARKUP}`);
    expect(hostile.text()).toContain(shown);
    expect(namesOf(plain)).toEqual(expect.arrayContaining(namesOf(hostile)));
  };
  fc.assert(fc.property(harmless, check), { numRuns: seeds(6, 1_000) });
});

/** All kinds of elements with their attributes. */
function namesOf(page: HtmlElement): string[] {
  const names = new Set<string>();
  for (const { name, attributes } of page.all()) {
    names.add(`${name} ${[...attributes.keys()].sort().join(' ')}`);
  }
  return [...names].sort();
}
