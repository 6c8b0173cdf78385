import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../src/core/plan/plan.ts';
import { renderPage } from '../../../../src/core/report/page/page.ts';
import { PLAIN } from '../../../../src/core/report/report.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../../support/documents.ts';
import { foreignDocument } from '../../../support/foreign-report.ts';
import { type HtmlElement, parsedPage } from '../../../support/html.ts';
import {
  endedApply,
  findingsOnly,
  largePlan,
  richPlan,
  smallPlan,
} from '../../../support/page-documents.ts';

function pageOf(document: Document, full = false): HtmlElement {
  return parsedPage(renderPage(document, { paint: PLAIN, width: 80, full }));
}

/** The words of elements with a class. */
function texts(page: HtmlElement, name: string): string[] {
  return page.withClass(name).map((element) => element.text());
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
  'a small plan': smallPlan(),
  'a plan with everything': richPlan(),
  'a sample': sampleDocument(),
  'an apply': endedApply(),
  'a shared change': sharedPlan(),
  'a large plan': largePlan({ servers: 9, integrations: 8, changes: 2 }),
  'findings alone': findingsOnly(),
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
  test('says at the top what changes, where, and what stands against it', () => {
    const page = pageOf(richPlan());
    const [title] = page.named('h1');
    expect(title?.text()).toMatch(
      /^15 changes in 5 integrations on staging and prod\s+Apply refuses this$/,
    );
    const [header] = page.named('header');
    expect(header?.text()).toContain('1 waived');
    expect(header?.text()).toContain('2 warnings');
  });

  test('has refusals and errors first, with flags to copy', () => {
    const page = pageOf(richPlan());
    const [main] = page.named('main');
    const parts = main?.children.filter((child) => typeof child !== 'string');
    const [refused, errors, reminder, matrix] = parts ?? [];
    expect(refused?.text()).toContain('Refused');
    const flags = refused?.named('code').map((flag) => flag.text());
    expect(flags).toEqual(['base/jira.yaml:13:7', '--allow exposes-secret']);
    expect(errors?.text()).toContain('zeek has no option limt (prod).');
    expect(errors?.text()).toContain('Did you mean limit?');
    expect(errors?.text()).toContain('base/zeek.yaml:11:7');
    expect(reminder?.text()).toContain('setpoint.yaml is less strict');
    expect(matrix?.name).toBe('nav');
  });

  test('shows lines of YAML to write by hand, each by itself', () => {
    const document = findingsOnly();
    const [finding] = document.diagnostics;
    if (finding === undefined) throw new Error();
    const yaml = ['a:', '  b: 1'];
    const diagnostics = [{ ...finding, yaml }];
    expect(texts(pageOf({ ...document, diagnostics }), 'yaml')).toEqual(yaml);
  });

  test('has cards in the sections of their worst rows', () => {
    const titles = pageOf(richPlan())
      .withClass('part')
      .map((section) => {
        const names = section.named('h3').map((name) => name.text());
        return [section.named('h2')[0]?.text(), ...names];
      });
    expect(titles).toEqual([
      ['Refused', 'jira'],
      ['Conflicts: changed here and on the server', 'splunk'],
      ['Risks', 'shodan'],
      ['Other changes', 'okta'],
      ['Drift: apply sets it back', 'slack'],
    ]);
  });

  test('has rows of a line, a field with its tags, and both values', () => {
    const page = pageOf(richPlan());
    const rows = page.withClass('row').map((row) => {
      const tags = texts(row, 'tag');
      return [texts(row, 'at')[0], row.named('b')[0]?.text(), ...tags].concat(
        texts(row, 'value'),
      );
    });
    expect(rows).toContainEqual(
      [':13', 'apiKey', 'exposes-secret', 'prod only'].concat(
        'lock-and-hide → lock-and-show',
      ),
    );
    expect(rows).toContainEqual(
      [':12', 'apiKey', 'prod only', 'rotated 2026-11-21'].concat(
        '(hidden) → ${env:SETPOINT_JIRA_API_KEY}',
      ),
    );
    expect(rows).toContainEqual(
      [':9', 'types', 'prod only'].concat('-\u00a0ip +\u00a0domain'),
    );
    expect(rows).toContainEqual(
      [':33', 'maxTags', 'conflict, base 4', 'prod only'].concat('30 → 60'),
    );
  });

  test('marks in a line of a text what differs from the other side', () => {
    const [, diff] = pageOf(richPlan())
      .withClass('part')
      .flatMap((section) => {
        return section.named('pre');
      });
    expect(diff?.text()).toContain('-\u00a0| head 10');
    expect(diff?.named('del').map((part) => part.text())).toEqual(['10']);
    expect(diff?.named('ins').map((part) => part.text())).toEqual(['25']);
  });

  test.each([null, 'x'.repeat(2_000)])(
    'shows a cut value whole in a fold, and in full at once',
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
      const [full] = pageOf(document, true).withClass('value');
      expect(full?.text()).toContain(after);
      expect(full?.named('details')).toEqual([]);
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
    const links = pageOf(richPlan())
      .named('a')
      .filter((link) => !link.attribute('href')?.startsWith('#'));
    const { commit } = richPlan();
    const root = `https://github.com/acme/integrations/blob/${commit}/base/`;
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      expect(link.attribute('href')?.startsWith(root)).toBe(true);
      expect(link.attribute('rel')).toBe('noreferrer');
    }
  });

  test('has all that is left, folded, with reason and day', () => {
    const page = pageOf(richPlan());
    const [left] = page.all().filter((own) => own.attribute('id') === 'left');
    const folds = left?.named('details') ?? [];
    expect(folds.map((own) => own.named('b')[0]?.text())).toEqual([
      'Not compared',
      'Waived',
      'Already live',
      'No longer managed',
    ]);
    for (const own of folds) expect(own.attribute('open')).toBeUndefined();
    expect(left?.text()).toContain('until 2026-12-31, slow until the upgrade');
    expect(left?.text()).toContain('${env:SETPOINT_TENABLE_KEY}');
  });

  test('has after an apply what went well in one fold, with its reason the rest', () => {
    const page = pageOf(endedApply());
    const [done] = page.withClass('end');
    expect(done?.text()).toBe('Done (2 integrations)shodan, whois');
    const titles = page.named('h3').map((title) => title.text());
    expect(titles).toEqual(['jira', 'virustotal']);
    expect(page.text()).toContain('Value of comments requires a user name');
    expect(page.text()).toContain('staging failed before');
  });

  test('has no filter and no matrix for a change or two', () => {
    const page = pageOf(smallPlan());
    expect([page.named('input'), page.named('nav')]).toEqual([[], []]);
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

  test('has the findings of validate, and says no number twice', () => {
    const page = pageOf(findingsOnly());
    expect(page.named('h1')[0]?.text()).toContain('1 error and 2 warnings');
    expect(page.withClass('alert')).toHaveLength(2);
    expect(page.withClass('card')).toEqual([]);
    const { diagnostics } = findingsOnly();
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const only = pageOf({ ...findingsOnly(), diagnostics: errors });
    expect(only.text().match(/1 error/g)).toHaveLength(2);
    expect(only.named('h2')).toEqual([]);
  });
});
