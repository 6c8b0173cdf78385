import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import { type HtmlElement, parsedPage } from '../../../support/html.ts';
import {
  endedApply,
  findingsOnly,
  largePlan,
  richPlan,
  smallPlan,
} from '../../../support/page-documents.ts';

function pageOf(document: Document): HtmlElement {
  return parsedPage(renderPage(document, { paint: PLAIN, width: 80 }));
}

/** The words of elements with a class. */
function texts(page: HtmlElement, name: string): string[] {
  return page.withClass(name).map((element) => element.text());
}

describe('a page', () => {
  test('says at the top what changes, where, and what stands against it', () => {
    const page = pageOf(richPlan());
    expect(page.named('h1').map((title) => title.text())).toEqual([
      '15 changes in 8 integrations on staging and prod',
    ]);
    expect(texts(page, 'big')).toEqual(['Apply refuses this']);
    expect(texts(page, 'alert')[0]).toContain('--allow exposes-secret');
  });

  test('has cards in the sections of their worst rows', () => {
    const titles = pageOf(richPlan())
      .withClass('part')
      .map((section) => section.named('h2')[0]?.text());
    expect(titles).toEqual([
      'Refused 1 integration',
      'Conflicts: this branch and the server both moved 1 integration',
      'Risks 1 integration',
      'Other changes by this branch 1 integration',
      'Drift only: the server moved, apply sets it back 1 integration',
    ]);
  });

  test('leads to lines at the commit, and nowhere else outside', () => {
    const links = pageOf(richPlan())
      .named('a')
      .filter((link) => !link.attribute('href')?.startsWith('#'));
    const commit = richPlan().commit;
    const root = `https://github.com/acme/integrations/blob/${commit}/base/`;
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      expect(link.attribute('href')?.startsWith(root)).toBe(true);
      expect(link.attribute('rel')).toBe('noreferrer');
    }
  });

  test('leads from a square to its card, and from a code to its finding', () => {
    const page = pageOf(richPlan());
    const ids = new Set(page.all().map((own) => own.attribute('id')));
    const inner = page
      .named('a')
      .map((link) => link.attribute('href') ?? '')
      .filter((href) => href.startsWith('#'));
    expect(inner).toContain('#i-jira');
    expect(inner).toContain('#f-secret-aged');
    for (const href of inner) expect(ids).toContain(href.slice(1));
  });

  test('has all that is left alone, folded, with reason and day', () => {
    const page = pageOf(richPlan());
    const [left] = page.all().filter((own) => own.attribute('id') === 'left');
    const folded = left?.named('details') ?? [];
    expect(folded.map((own) => own.attribute('id'))).toEqual([
      'left-unread',
      'left-hidden',
      'left-waived',
      'left-settled',
      'left-released',
    ]);
    for (const own of folded) {
      expect(own.attribute('open')).toBeUndefined();
    }
    expect(left?.text()).toContain('until 2026-12-31: slow until the upgrade');
    expect(left?.text()).toContain('${env:SETPOINT_TENABLE_KEY}');
  });

  test('shows once on a card how all of it ended on a server, and why', () => {
    const page = pageOf(endedApply());
    const [card] = page
      .withClass('card')
      .filter((own) => own.text().includes('virustotal'));
    expect(texts(card ?? page, 'card-outcomes')).toEqual([
      'stale stagingmoved on the server since the plan' +
        'not attempted prodstaging failed before',
    ]);
    expect(card?.withClass('notes')).toEqual([]);
  });

  test('shows on a row how it ended, if others ended otherwise', () => {
    const page = pageOf(endedApply());
    const notes = texts(page, 'notes');
    expect(notes).toContain('sentsecret');
    expect(notes.join()).toContain('Value of comments requires a user name');
  });

  test('has no filter and no matrix for a change or two', () => {
    const page = pageOf(smallPlan());
    expect([page.named('search'), page.named('nav')]).toEqual([[], []]);
  });

  test('has a list in place of chips for many servers', () => {
    const size = { servers: 9, integrations: 4, changes: 1 };
    const [list] = pageOf(largePlan(size)).named('select');
    expect(list?.named('option')).toHaveLength(10);
  });

  test('has the findings of validate, open', () => {
    const page = pageOf(findingsOnly());
    expect(page.text()).toContain('zeek has no option limt.');
    for (const own of page.named('details')) {
      expect(own.attribute('open')).toBe('');
    }
  });

  test('counts for the filter are those of the document', () => {
    let counted = 0;
    for (const row of pageOf(richPlan()).named('tr')) {
      const facts = row.attribute('data-facts');
      for (const part of facts?.split(',') ?? []) counted += parseInt(part, 10);
    }
    expect(counted).toBe(15);
  });
});
