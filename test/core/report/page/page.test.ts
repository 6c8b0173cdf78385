import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan-document.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  largePlan,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';
import { foreignDocument } from '../../../support/foreign-report.ts';
import { type HtmlElement, parsedPage } from '../../../support/html.ts';
import { applied } from '../samples.ts';

function pageOf(document: Document, full = false): HtmlElement {
  return parsedPage(renderPage(document, { paint: PLAIN, width: 80, full }));
}

/** Numbers and tokens of a row: `label=drift`, `server=prod`. */
function factsOf(row: HtmlElement): string[] {
  return row.attribute('data-facts')?.split('&') ?? [];
}

/** How many changes the rows of a page have, by their tokens. */
function changesBy(page: HtmlElement): Map<string, number> {
  const changes = new Map<string, number>();
  for (const row of page.withClass('row')) {
    const facts = factsOf(row);
    const servers = facts.filter((fact) => fact.startsWith('server='));
    for (const fact of new Set(facts)) {
      const own = facts.filter((other) => other === fact).length;
      const isServer = fact.startsWith('server=');
      const number = isServer ? own : servers.length;
      changes.set(fact, (changes.get(fact) ?? 0) + number);
    }
  }
  return changes;
}

/** A change of six integrations, and a risk that only the last has. */
function sharedPlan(): Document {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const integrations = names.map((name, at) => {
    const change = changeOf(name, at + 3);
    const address = `${name}.options.own.value`;
    const risks = ['overrides-users'] as const;
    const other = changeOf(name, 20, { address, risks });
    return integrationOf(name, name === 'f' ? [change, other] : [change]);
  });
  return documentWith([
    serverOf('one', integrations),
    serverOf('two', integrations),
  ]);
}

const DOCUMENTS: Readonly<Record<string, Document>> = {
  'a plan with everything': sampleDocument(),
  'an apply': applied(),
  'a shared change': sharedPlan(),
  'a large plan': largePlan({ servers: 9, integrations: 8, changes: 2 }),
  'a name of any characters': foreignDocument('a b%41"#&+'),
};

describe.each(Object.entries(DOCUMENTS))('%s', (_, document) => {
  test.each([false, true])(
    'has every id once, and every link leads to one (full: %s)',
    (full) => {
      const page = pageOf(document, full);
      const ids = page.all().flatMap((own) => own.attribute('id') ?? []);
      expect(ids).toEqual([...new Set(ids)]);
      for (const link of page.named('a')) {
        const href = decodeURIComponent(link.attribute('href') ?? '');
        if (href.startsWith('#')) expect(ids).toContain(href.slice(1));
      }
    },
  );

  test('has chips that count the changes that are shown', () => {
    const page = pageOf(document);
    const changes = changesBy(page);
    for (const chip of page.withClass('chip')) {
      const token = chip.attribute('data-token');
      if (token === undefined) continue;
      const [number] = chip.named('b');
      expect(number?.text()).toBe(String(changes.get(token)));
    }
  });

  test('shows in full each change, with its address', () => {
    const page = pageOf(document, true);
    const addresses = page
      .withClass('row')
      .map((row) => row.attribute('data-addresses'))
      .join(' ');
    for (const { integrations } of document.servers) {
      for (const { changes } of integrations) {
        for (const { address } of changes) expect(addresses).toContain(address);
      }
    }
  });
});

describe('a page', () => {
  test.each([null, 'x'.repeat(2_000)])(
    'shows a cut value whole in a fold',
    (before) => {
      const after = `${'x'.repeat(2_000)}y`;
      const change = changeOf('a', 3, { before, after });
      const document = documentWith([
        serverOf('one', [integrationOf('a', [change])]),
      ]);
      const [value] = pageOf(document).withClass('value');
      const [shown, whole] = value?.named('pre') ?? [];
      expect(shown?.text()).toContain('(2,001 characters)');
      expect(whole?.text()).toContain(after);
      expect(value?.named('details')[0]?.text()).toContain(after);
    },
  );

  test('has a shared change once, and leads to what is of one integration', () => {
    const page = pageOf(sharedPlan());
    const titles = page.named('h3').map((title) => title.text());
    expect(titles).toEqual(['f', 'In 6 integrations']);
    const [own, shared] = page.withClass('card');
    const isIn = (card: HtmlElement | undefined, id: string): boolean =>
      card?.all().some((each) => each.attribute('id') === id) ?? false;
    expect([isIn(shared, 'i-a'), isIn(shared, 'i-f')]).toEqual([true, false]);
    expect(isIn(own, 'i-f')).toBe(true);
    const [row] = shared?.withClass('row') ?? [];
    const addresses = row?.attribute('data-addresses')?.split(' ');
    expect(addresses).toContain('d.options.limit.value');
    // In full each integration has a card.
    expect(pageOf(sharedPlan(), true).withClass('card')).toHaveLength(6);
  });

  test('leads to lines at the commit, and nowhere else outside', () => {
    const links = pageOf(sampleDocument())
      .named('a')
      .filter((link) => !link.attribute('href')?.startsWith('#'));
    const { commit } = sampleDocument();
    const root = `https://github.com/acme/integrations/blob/${commit}/base/`;
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      expect(link.attribute('href')?.startsWith(root)).toBe(true);
      expect(link.attribute('rel')).toBe('noreferrer');
    }
  });

  test('has all that is left, folded, with reason and day', () => {
    const page = pageOf(sampleDocument());
    const [left] = page.all().filter((own) => own.attribute('id') === 'left');
    const folds = left?.named('details') ?? [];
    expect(folds.map((own) => own.named('b')[0]?.text())).toEqual([
      'Not compared',
      'Not compared',
      'Waived',
      'Already live',
      'No longer managed',
    ]);
    for (const own of folds) expect(own.attribute('open')).toBeUndefined();
    expect(left?.text()).toContain('until 2026-12-31, slow until the upgrade');
    expect(left?.text()).toContain('${env:SETPOINT_TENABLE_KEY}');
  });

  test('has equal servers in one column, and a list of many to choose from', () => {
    const change = changeOf('a', 3);
    const integrations = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => {
      return integrationOf(name, [changeOf(name, 3, { after: at })]);
    });
    const others = integrations.slice(1);
    const names = ['p1', 'p2', 'p3', 'p4', 'p5'];
    const page = pageOf(
      documentWith([
        serverOf('lab', [integrationOf('a', [change]), ...others]),
        ...names.map((name) => serverOf(name, others)),
        serverOf('idle', []),
      ]),
    );
    const [matrix] = page.named('nav');
    const [table] = matrix?.named('table') ?? [];
    const heads = table?.named('thead')[0]?.named('th') ?? [];
    expect(heads.map((head) => head.text())).toEqual([
      '5 servers',
      'lab',
      'idle',
    ]);
    // Paper and fingers have no hover.
    expect(matrix?.text()).toContain('5 servers: p1, p2, p3, p4, p5');
    const [list] = page.named('select');
    expect(list?.named('option')).toHaveLength(7);
  });
});
