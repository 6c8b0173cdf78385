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

/** An apply on servers, with how many of its changes are sent on each. */
function appliedOn(sent: readonly number[]): Document {
  const size = { servers: sent.length, integrations: 1, changes: 12 };
  const document = largePlan(size);
  const servers = document.servers.map((server, at) => {
    const most = sent[at] ?? 0;
    const integrations = server.integrations.map((integration) => {
      const changes = integration.changes.map((change, number) => {
        const outcome = number < most ? 'sent' : 'verified';
        return { ...change, outcome } as const;
      });
      return { ...integration, changes };
    });
    return { ...server, integrations };
  });
  return { ...document, command: 'apply', servers };
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
      'Refused 1 change',
      'Conflicts: this branch and the server both moved 1 change',
      'Risks 1 change here, 1 above',
      'Other changes by this branch 1 change here, 9 above',
      'Drift only: the server moved, apply sets it back 4 changes',
    ]);
  });

  test.each([
    [richPlan(), ['label:conflict', 'label:change', 'label:drift']],
    [endedApply(), ['outcome:failed', 'outcome:stale']],
  ])(
    'counts in its sections as many changes as on chips',
    (document, tokens) => {
      const page = pageOf(document);
      const sizes = texts(page, 'size').map((size) => {
        const numbers = size.match(/\d+/g)?.map(Number) ?? [];
        return numbers.reduce((sum, number) => sum + number, 0);
      });
      const counts = new Map<string | undefined, number>();
      for (const chip of page.withClass('chip')) {
        const [number] = chip.named('b');
        const token = chip.attribute('data-token');
        counts.set(token, parseInt(number?.text() ?? '', 10));
      }
      for (const token of tokens) expect(sizes).toContain(counts.get(token));
    },
  );

  test('counts nothing in a single section', () => {
    expect(texts(pageOf(smallPlan()), 'size')).toEqual([]);
  });

  test('says of every drift that it is one, also in its section', () => {
    const page = pageOf(richPlan());
    for (const row of page.named('tr')) {
      const facts = row.attribute('data-facts');
      const isDrift = facts?.includes('label:drift') ?? false;
      expect(row.text().includes('moved on the server')).toBe(isDrift);
    }
  });

  test('says that apply writes the others only if it would', () => {
    const errors = (document: Document) => texts(pageOf(document), 'alert');
    const refused = richPlan();
    const servers = refused.servers.map((server) => {
      return { ...server, refusals: [] };
    });
    const others = 'zeek; apply writes the other integrations';
    const plan = { ...refused, servers };
    expect(errors(refused).join()).not.toContain('apply writes the other');
    expect(errors(plan).join()).toContain(others);
    const partial = errors({ ...plan, complete: false }).join();
    expect(partial).not.toContain('apply writes the other');
  });

  test('says what outcomes mean, and how many each server has', () => {
    const [outcomes] = pageOf(endedApply()).withClass('outcomes');
    const lines = outcomes?.named('p').map((line) => line.text());
    expect(lines?.slice(0, 2)).toEqual([
      'staging 1 failed 2 stale 2 verified 1 sent',
      'prod 3 not attempted',
    ]);
    expect(lines?.[2]).toContain('verified: read back from the server');
    expect(lines?.[2]).toContain('sent: accepted, but not shown');
  });

  test('puts servers that ended alike in a line, and folds many lines', () => {
    const ended = (outcomes: readonly number[]) =>
      texts(pageOf(appliedOn(outcomes)), 'outcomes');
    expect(ended([0, 0, 0])).toEqual([]);
    expect(ended([1, 0, 1])[0]).toMatch(
      /^site-01 site-03 each 11 verified 1 sentsite-02 12 verified/,
    );
    const [many] = pageOf(appliedOn([...Array(12).keys()])).withClass(
      'outcomes',
    );
    expect(many?.named('summary')[0]?.text()).toBe('2 more lines');
    // Ten lines, two of them folded, and the meanings.
    expect(many?.named('p')).toHaveLength(11);
  });

  test('says of a square without a change why it has none', () => {
    const squares = (name: string) => texts(pageOf(richPlan()), name);
    expect(squares('absent')).toContain('not managed there');
    expect(squares('unplanned')).toContain('not planned');
    const [legend] = squares('legend');
    expect(legend).toContain('not managed there');
    expect(legend).not.toContain('no change ');
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
