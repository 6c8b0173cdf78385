import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import {
  type Browser,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import type { Document } from '../../src/core/plan/plan.ts';
import { renderPage } from '../../src/core/report/page/page.ts';
import { PLAIN } from '../../src/core/report/report.ts';
import { foreignApply, foreignDocument } from '../support/foreign-report.ts';
import {
  endedApply,
  findingsOnly,
  largePlan,
  richPlan,
  smallPlan,
} from '../support/page-documents.ts';
import { tempFolder } from '../support/temp.ts';

/** The first browser on the path; undefined without one. */
const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) =>
    ['chromium', 'google-chrome'].map((name) => join(folder, name)),
  )
  .find((path) => existsSync(path));

/** In how many integrations a filter keeps changes. */
const INTEGRATIONS = / in \d+ integrations?/;

test('a browser is installed where these tests must run', () => {
  if (process.env['SETPOINT_BROWSER'] === 'required')
    expect(installed).toBeDefined();
});

const DOCUMENTS: Readonly<Record<string, Document>> = {
  'a small change': smallPlan(),
  'a plan with everything': richPlan(),
  'a large plan': largePlan({ servers: 2, integrations: 8, changes: 4 }),
  'an apply': endedApply(),
  'forty servers': largePlan({ servers: 40, integrations: 3, changes: 1 }),
  'findings alone': findingsOnly(),
};

/** The first faults that axe finds, as texts. */
const FAULTS = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => [id, html, failureSummary].join('\\n'))))`;

/** What a test wants of the window. */
interface Window {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly hasScript?: boolean;
  /** The end of the address. */
  readonly hash?: string;
}

interface Opened {
  readonly page: Page;
  /** Requests, messages, errors, dialogs, and what the policy blocked. */
  readonly noticed: readonly string[];
}

describe.skipIf(installed === undefined)(
  'a report in a browser (needs chromium)',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      // Its sandbox needs rights that a container has not; it opens only our own pages.
      browser = await chromium.launch({
        executablePath: installed ?? '',
        args: ['--no-sandbox'],
        timeout: 0,
      });
    });
    afterAll(() => browser.close());

    /** A report that was opened from a file. */
    async function opened(
      document: Document,
      { width = 1280, colorScheme, hasScript = true, hash = '' }: Window = {},
    ): Promise<Opened> {
      const html = renderPage(document, { paint: PLAIN, width: 80 });
      const folder = await tempFolder({ 'report.html': html });
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme: colorScheme ?? 'light',
        javaScriptEnabled: hasScript,
      });
      onTestFinished(() => page.close());
      // The time-out of the test ends what hangs.
      page.setDefaultTimeout(0);
      const url = pathToFileURL(join(folder, 'report.html')).href;
      const noticed: string[] = [];
      page.on('request', (request) => {
        if (request.url() !== url) noticed.push(request.url());
      });
      page.on('console', (message) => noticed.push(message.text()));
      page.on('pageerror', (error) => noticed.push(String(error)));
      page.on('dialog', async (dialog) => {
        noticed.push(dialog.message());
        await dialog.dismiss();
      });
      await page.goto(url + hash);
      return { page, noticed };
    }

    /** A style of an element, as the browser computes it. */
    async function styleOf(element: Locator, name: string): Promise<string> {
      return element.evaluate((own, key) => {
        // The types of tests know no window.
        const styleOfNode = Reflect.get(globalThis, 'getComputedStyle');
        return styleOfNode(own)[key];
      }, name);
    }

    /** The end of the address of a page. */
    function hashOf(page: Page): string {
      return new URL(page.url()).hash;
    }

    async function shownCards(page: Page): Promise<string[]> {
      return page.locator('.card:visible h3').allTextContents();
    }

    describe.each(Object.entries(DOCUMENTS))('%s', (_, document) => {
      test.each([1280, 390])(
        'at %s pixels has no fault that axe finds, light or dark',
        async (width) => {
          const { page } = await opened(document, { width });
          await page.evaluate(axe.source);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await page.evaluate(FAULTS)).toEqual([]);
          }
        },
      );

      test('asks for nothing, complains of nothing, and is as wide as the window', async () => {
        const { page, noticed } = await opened(document);
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          const shown = 'document.documentElement.scrollWidth';
          expect(await page.evaluate(shown)).toBe(width);
        }
        expect(noticed).toEqual([]);
      });
    });

    describe('the filter', () => {
      test('finds words in all that a row shows', async () => {
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill('jira apiKey lock-and-show');
        expect(await page.locator('#shown').textContent()).toBe(
          '1 of 15 changes in 1 integration: "jira", "apikey", "lock-and-show"',
        );
        expect(await shownCards(page)).toEqual(['jira']);
      });

      test.each([
        // Chips of one kind are alternatives, of two kinds both are needed.
        ['risk:exposes-secret', 1, ': exposes-secret'],
        [
          'risk:exposes-secret risk:overrides-users',
          2,
          ': exposes-secret or overrides-users',
        ],
        ['risk:', 15, ''],
        ['server:staging', 4, ': on staging'],
        ['server:staging label:drift', 2, ': on staging, drifted'],
        ['label:drift label:conflict', 5, ': drifted or in conflict'],
        ['-label:drift', 11, ': not drifted'],
        // All of these change on prod too.
        ['-server:prod', 0, ': not on prod'],
        ['server:pro', 11, ': server:pro'],
        ['"| head 25"', 2, ': "| head 25"'],
        ['nothing-has-this', 0, ': "nothing-has-this"'],
        // Words of chips mean the chips, unless they stand in quotes.
        ['Drift', 4, ': drifted'],
        ['-drift prod', 9, ': not drifted, on prod'],
        ['change', 10, ': by this branch'],
        ['branch staging', 2, ': by this branch, on staging'],
        ['this branch', 10, ': by this branch'],
        ['"prod"', 15, ': "prod"'],
        ['"this branch"', 0, ': "this branch"'],
        ['exposes-secret', 1, ': exposes-secret'],
      ])('%s keeps %s changes', async (query, number, meaning) => {
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill(query);
        const shown = await page.locator('#shown').textContent();
        const expected = `${number} of 15 changes${meaning}`;
        expect(shown?.replace(INTEGRATIONS, '')).toBe(expected);
        const none = page.locator('#none');
        expect(await none.isVisible()).toBe(number === 0);
      });

      test.each([
        ['failed', 1],
        ['stale', 2],
        ['sent', 1],
        ['not attempted', 3],
        ['not-attempted', 3],
      ])('%s keeps %s changes of an apply', async (query, number) => {
        const { page } = await opened(endedApply());
        await page.locator('#filter').fill(query);
        const meaning = query.replace('-', ' ');
        const shown = await page.locator('#shown').textContent();
        expect(shown?.replace(INTEGRATIONS, '')).toBe(
          `${number} of 9 changes: ${meaning}`,
        );
      });

      test('presses the chips of typed words, and a click takes them out', async () => {
        const { page } = await opened(richPlan());
        const pressed = page.locator('.chip[aria-pressed="true"]');
        await page.locator('#filter').fill('Prod jira this branch -drift');
        const names = await pressed.evaluateAll((own) =>
          own.map((chip) => chip.getAttribute('data-token')),
        );
        expect(names).toEqual(['label:change', 'server:prod']);
        await page.locator('.chip[data-token="label:change"]').click();
        await page.locator('.chip[data-token="server:prod"]').click();
        expect(await page.locator('#filter').inputValue()).toBe('jira -drift');
        expect(await pressed.count()).toBe(0);
      });

      test('takes names of servers as they are, whatever they hold', async () => {
        const name = 'EU (west+ [1';
        const [first, second] = richPlan().servers;
        if (first === undefined || second === undefined) throw new Error();
        const servers = [first, { ...second, name }];
        const { page, noticed } = await opened({ ...richPlan(), servers });
        await page.locator('#filter').fill('eu (west+ [1 drift');
        expect(await page.locator('#shown').textContent()).toBe(
          `2 of 15 changes in 1 integration: on ${name}, drifted`,
        );
        expect(noticed).toEqual([]);
      });

      test('hides the sizes of sections, which count all changes', async () => {
        const { page } = await opened(richPlan());
        const sizes = page.locator('.size:visible');
        expect(await sizes.count()).toBe(5);
        await page.locator('#filter').fill('prod');
        expect(await sizes.count()).toBe(0);
      });

      test('takes a whole value exactly, though another begins with it', async () => {
        const document = richPlan();
        const [first, second] = document.servers;
        if (first === undefined || second === undefined) throw new Error();
        const servers = [first, { ...second, name: 'staging-2' }];
        const { page } = await opened({ ...document, servers });
        await page.locator('#filter').fill('server:staging');
        expect(await page.locator('#shown').textContent()).toContain('4 of');
        await page.locator('#filter').fill('server:stagin');
        expect(await page.locator('#shown').textContent()).toContain('15 of');
      });

      test('counts the changes of a server and outcome together', async () => {
        const { page } = await opened(endedApply());
        await page.locator('#filter').fill('server:prod outcome:stale');
        expect(await page.locator('#shown').textContent()).toContain('0 of');
        await page.locator('#filter').fill('server:staging outcome:stale');
        expect(await page.locator('#shown').textContent()).toContain('2 of');
      });

      test('has chips that say what they keep', async () => {
        const { page } = await opened(richPlan());
        for (const chip of await page.locator('.chip').all()) {
          const number = await chip.locator('b').textContent();
          await chip.click();
          expect(await chip.getAttribute('aria-pressed')).toBe('true');
          const shown = await page.locator('#shown').textContent();
          expect(shown?.split(' ')[0]).toBe(number?.split(' ')[0]);
          await chip.click();
          expect(await chip.getAttribute('aria-pressed')).toBe('false');
        }
        expect(hashOf(page)).toBe('');
      });

      test('fades the squares that it keeps out', async () => {
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill('label:conflict');
        const lit = page.locator('a.sq:not(.faint)');
        const labels = await lit.evaluateAll((squares) =>
          squares.map((square) => square.getAttribute('aria-label')),
        );
        expect(labels).toEqual(['splunk on prod: 4 changes, conflict']);
      });

      test('has a list of many servers', async () => {
        const size = { servers: 9, integrations: 5, changes: 1 };
        const { page } = await opened(largePlan(size));
        await page.locator('#server').selectOption('site-03');
        expect(await page.locator('#filter').inputValue()).toBe(
          'server:site-03',
        );
        expect(await page.locator('#shown').textContent()).toContain('4 of');
        await page.locator('#server').selectOption('all 9');
        expect(await page.locator('#filter').inputValue()).toBe('');
        await page.locator('#filter').fill('Site-04');
        expect(await page.locator('#server').inputValue()).toBe(
          'server:site-04',
        );
        await page.locator('#server').selectOption('site-03');
        expect(await page.locator('#shown').textContent()).toMatch(
          /: on site-03$/,
        );
      });
    });

    describe('the address', () => {
      test('has the filter and the card, and brings both back', async () => {
        const query = 'label:drift "soc alerts"';
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill('label:drift');
        await page.locator('a.sq[href="#i-slack"]').first().click();
        expect(hashOf(page)).toBe('#q=label%3Adrift&i-slack');
        const again = await opened(richPlan(), { hash: hashOf(page) });
        const focused = again.page.locator('.card:focus h3');
        expect(await focused.textContent()).toBe('slack');
        expect(await again.page.locator('#filter').inputValue()).toBe(
          'label:drift',
        );
        const other = await opened(richPlan(), {
          hash: `#q=${encodeURIComponent(query)}`,
        });
        expect(await other.page.locator('#filter').inputValue()).toBe(query);
      });

      test('of a card that the filter hides clears the filter', async () => {
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill('label:drift');
        await page.locator('.matrix a[href="#i-jira"]').first().click();
        expect(await page.locator('.card:focus h3').textContent()).toBe('jira');
        expect(await page.locator('#filter').inputValue()).toBe('');
      });

      test('goes back to where a link was followed', async () => {
        const { page } = await opened(richPlan());
        await page.locator('#filter').fill('label:drift');
        await page.locator('a.sq[href="#i-slack"]').first().click();
        await page.goBack();
        expect(hashOf(page)).toBe('#q=label%3Adrift');
      });

      test('opens what is folded around a finding', async () => {
        const { page } = await opened(richPlan());
        const finding = page.locator('#f-secret-aged');
        expect(await finding.isVisible()).toBe(false);
        await page.locator('.card a[href="#f-secret-aged"]').click();
        expect(await finding.isVisible()).toBe(true);
        await page.locator('a[href="#left-waived"]').click();
        const waived = page.getByText('slow until the upgrade');
        expect(await waived.isVisible()).toBe(true);
      });

      test.each(['#q=%E0%A4%A', '#i-nothing', '#q=', '#&&', '#i-%'])(
        'that is none, %s, is no error',
        async (hash) => {
          const { page, noticed } = await opened(richPlan(), { hash });
          expect(await page.locator('.card').count()).toBeGreaterThan(3);
          expect(noticed).toEqual([]);
        },
      );

      test('leads to names with any characters', async () => {
        const name = 'a b/ü&q=%41"#';
        const document = foreignDocument(name);
        const { page } = await opened(document);
        await page.locator('.matrix a, .card h3 a').first().click();
        const again = await opened(document, { hash: hashOf(page) });
        expect(await again.page.locator('.card:focus-within').count()).toBe(1);
      });
    });

    describe('keys', () => {
      test('go to the filter, through the cards, and back', async () => {
        const { page } = await opened(richPlan());
        await page.keyboard.press('/');
        await page.keyboard.type('label:drift');
        expect(await page.locator('#shown').textContent()).toContain('4 of');
        await page.keyboard.press('Escape');
        expect(await page.locator('#shown').textContent()).toBe('15 changes');
        const visited: (string | null)[] = [];
        for (const key of ['j', 'j', 'k', 'k', 'k']) {
          await page.keyboard.press(key);
          visited.push(await page.locator('.card:focus h3').textContent());
        }
        expect(visited).toEqual(['jira', 'splunk', 'jira', 'jira', 'jira']);
      });

      test('a button copies an address', async () => {
        const { page } = await opened(richPlan());
        const button = page.getByLabel('Copy jira.options.comments.value');
        await button.focus();
        expect(await styleOf(button, 'opacity')).toBe('1');
        await page.keyboard.press('Enter');
        const said = page.locator('#said');
        const copied = 'Copied jira.options.comments.value';
        await expect.poll(() => said.textContent()).toBe(copied);
        await page.locator('#filter').focus();
        await page.keyboard.press('ControlOrMeta+v');
        expect(await page.locator('#filter').inputValue()).toBe(
          'jira.options.comments.value',
        );
      });
    });

    test('without script shows all but the filter', async () => {
      const { page } = await opened(richPlan(), { hasScript: false });
      expect(await page.locator('.tools').isVisible()).toBe(false);
      expect(await page.locator('.keys').isVisible()).toBe(false);
      expect(await page.locator('.copy').first().isVisible()).toBe(false);
      expect((await shownCards(page)).length).toBe(5);
      await page.locator('.matrix a[href="#i-slack"]').first().click();
      expect(hashOf(page)).toBe('#i-slack');
    });

    test('prints everything, in the colours of paper', async () => {
      const { page } = await opened(richPlan(), { colorScheme: 'dark' });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.tools').isVisible()).toBe(false);
      const waived = page.getByText('slow until the upgrade');
      expect(await waived.isVisible()).toBe(true);
      const ink = await styleOf(page.locator('body'), 'color');
      expect(ink).toBe('rgb(26, 34, 48)');
    });

    test('stays at hand with its totals while one scrolls', async () => {
      const { page } = await opened(richPlan());
      await page.locator('.end').first().scrollIntoViewIfNeeded();
      const box = await page.locator('#shown').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeLessThan(80);
    });

    test('runs nothing that a plan brings', async () => {
      const hostile = [
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' autofocus onfocus='alert(1)",
        '</style></script><svg onload=alert(1)>',
        'javascript:alert(1)',
      ].join(' ');
      for (const document of [
        foreignDocument(hostile),
        foreignApply(hostile),
      ]) {
        const { page, noticed } = await opened(document);
        await page.evaluate(
          `addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.log(effectiveDirective))`,
        );
        await page.keyboard.press('j');
        await page.locator('h3 a').first().click();
        const shown = page.locator('h3').getByText(hostile.slice(0, 60));
        expect(await shown.count()).toBeGreaterThan(0);
        expect(
          await page.locator('img, svg:not(.shares), iframe').count(),
        ).toBe(0);
        expect(await page.locator('script').count()).toBe(1);
        expect(noticed).toEqual([]);
      }
    });

    test('would run nothing even if markup got through', async () => {
      const { page, noticed } = await opened(richPlan());
      const blocked = page.evaluate<string[]>(`new Promise((resolve) => {
      const found = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (found.push(effectiveDirective) === 3) resolve(found.sort());
      });
      const holder = document.createElement('div');
      holder.innerHTML = '<img src="https://example.com/x.png"><p style="color:red" onclick="alert(1)">x</p>';
      document.body.append(holder);
      holder.querySelector('p').click();
    })`);
      expect(await blocked).toEqual([
        'img-src',
        'script-src-attr',
        'style-src-attr',
      ]);
      // The alert of the click.
      expect(noticed).not.toContain('1');
    });

    test('of 10,000 changes filters and leads to all of them', async () => {
      const size = { servers: 1, integrations: 1_000, changes: 10 };
      const { page, noticed } = await opened(largePlan(size));
      expect(await page.locator('#shown').textContent()).toBe('10000 changes');
      await page.locator('#filter').fill('label:drift integration-7');
      const shown = page.locator('#shown');
      expect(await shown.textContent()).toMatch(
        /^1\d\d of 10000 changes in \d+ integrations: drifted, /,
      );
      await page
        .locator('.matrix a[href="#i-integration-777"]')
        .first()
        .click();
      const card = page.locator('.card:focus');
      expect(await card.locator('h3').textContent()).toBe('integration-777');
      expect(noticed).toEqual([]);
    });
  },
);
