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
import type { Document } from '../../src/core/plan/plan-document.ts';
import { renderPage } from '../../src/core/report/page/page.ts';
import { PLAIN } from '../../src/core/report/report.ts';
import { applied } from '../core/report/samples.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  largePlan,
  sampleDocument,
  serverOf,
} from '../support/documents.ts';
import { foreignApply, foreignDocument } from '../support/foreign-report.ts';
import { tempFolder } from '../support/temp.ts';

/** The first browser on the path; undefined without one. */
const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) =>
    ['chromium', 'google-chrome'].map((name) => join(folder, name)),
  )
  .find((path) => existsSync(path));

test('a browser is installed where these tests must run', () => {
  if (process.env['SETPOINT_BROWSER'] === 'required')
    expect(installed).toBeDefined();
});

const DOCUMENTS: Readonly<Record<string, Document>> = {
  'a plan with everything': sampleDocument(),
  'a large plan': largePlan({ servers: 2, integrations: 8, changes: 4 }),
  'an apply': applied(),
  'forty servers': largePlan({ servers: 40, integrations: 3, changes: 1 }),
  'findings alone': documentWith([], {
    diagnostics: sampleDocument().diagnostics,
  }),
  'long words': longWords(),
  'nothing attempted': notAttempted(),
};

/** Changes of all kinds of values, none of which was attempted. */
function notAttempted(): Document {
  const plan = largePlan({ servers: 1, integrations: 2, changes: 7 });
  const servers = plan.servers.map((server) => {
    const integrations = server.integrations.map((integration) => {
      const changes = integration.changes.map((change) => {
        return { ...change, outcome: 'not-attempted' } as const;
      });
      return { ...integration, changes };
    });
    return { ...server, integrations };
  });
  return { ...plan, command: 'apply', servers };
}

/** A plan of words of 2,000 characters, and of names as long as they may be. */
function longWords(): Document {
  const word = 'x'.repeat(2_000);
  const name = 'n'.repeat(128);
  const changes = ['one', 'two', 'three'].map((key, at) => {
    const address = `${name}.options.${key}${'k'.repeat(at * 300)}.value`;
    const own = { before: word, after: `${word}y`, comment: word } as const;
    const refused = { risks: ['exposes-secret'], reason: word } as const;
    return changeOf(name, at + 3, { address, ...own, ...refused });
  });
  const integrations = ['a', 'b', 'c'].map((end) => {
    return integrationOf(`${name}${end}`, changes);
  });
  const servers = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => {
    const own = integrations.slice(0, (at % 3) + 1);
    const status = `${at}${'s'.repeat(60)}`;
    const stopped = own.map((each) => ({ ...each, status }));
    return serverOf(`${at}${'s'.repeat(63)}`, stopped);
  });
  return documentWith(servers);
}

/** The chips and tags that stand out of their card or row. */
const OUTSIDE = `[...document.querySelectorAll('.tag, .chip:not(#clear), .sq, code, pre')].flatMap((part) => {
  const holder = part.closest('.card, .alert, .matrix, .chips, .end, main');
  const { left, right } = part.getBoundingClientRect();
  const box = holder.getBoundingClientRect();
  return right > box.right + 1 || left < box.left - 1 ? [part.outerHTML] : [];
})`;

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
      test('has no fault that axe finds, on a screen or a phone, light or dark', async () => {
        const { page, noticed } = await opened(document);
        await page.evaluate(axe.source);
        const looks = [
          [1280, 'light'],
          [1280, 'dark'],
          [390, 'dark'],
          [390, 'light'],
        ] as const;
        for (const [width, colorScheme] of looks) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate(FAULTS)).toEqual([]);
        }
        expect(noticed).toEqual([]);
      });

      test('asks for nothing, is as wide as the window, and keeps long words inside of what holds them', async () => {
        const { page, noticed } = await opened(document);
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          const shown = 'document.documentElement.scrollWidth';
          expect(await page.evaluate(shown)).toBe(width);
          expect(await page.evaluate(OUTSIDE)).toEqual([]);
        }
        expect(noticed).toEqual([]);
      });
    });

    describe('the filter', () => {
      test('keeps what has all of its words', async () => {
        const { page } = await opened(sampleDocument());
        const kept = async (query: string) => {
          await page.locator('#filter').fill(query);
          const none = await page.locator('#none').isVisible();
          const shown = await page.locator('#shown').textContent();
          expect(none).toBe(shown === '0 of 15 shown');
          return [query, Number.parseInt(shown ?? '', 10)];
        };
        // The name in short, the whole address, a value, a comment, a server.
        const queries = [
          ['jira.apiKey', 2],
          ['jira.options.apiKey.value', 1],
          ['apikey LOCK-and-show', 1],
          ['soc-alerts', 2],
          ['staging', 8],
          ['splunk -search', 2],
          ['drift', 4],
          ['-drift -jira', 7],
          ['-', 15],
          ['nothing-has-this', 0],
        ] as const;
        for (const [query, number] of queries) {
          expect(await kept(query)).toEqual([query, number]);
        }
      });

      test('has chips of one kind as alternatives, of two kinds as both', async () => {
        const { page } = await opened(sampleDocument());
        const press = async (...tokens: readonly string[]) => {
          for (const token of tokens) {
            await page.locator(`.chip[data-token="${token}"]`).click();
          }
          return await page.locator('#shown').textContent();
        };
        expect(await press('label=drift')).toBe('4 of 15 shown');
        expect(await press('label=conflict')).toBe('5 of 15 shown');
        await page.locator('#servers').selectOption('staging');
        const shown = page.locator('#shown');
        expect(await shown.textContent()).toBe('2 of 15 shown');
        const off = await press('label=drift', 'label=conflict');
        expect(off).toBe('4 of 15 shown');
        await page.locator('#servers').selectOption('all servers');
        expect(await shown.textContent()).toBe('');
      });

      test('has chips that say what they keep', async () => {
        for (const document of [sampleDocument(), applied()]) {
          const { page } = await opened(document);
          for (const chip of await page.locator('.chip[data-token]').all()) {
            const number = await chip.locator('b').textContent();
            await chip.click();
            expect(await chip.getAttribute('aria-pressed')).toBe('true');
            const shown = await page.locator('#shown').textContent();
            expect(shown?.split(' ')[0]).toBe(number);
            await chip.click();
            expect(await chip.getAttribute('aria-pressed')).toBe('false');
          }
          expect(hashOf(page)).toBe('');
        }
      });

      test('has a list of many servers, whatever their names hold', async () => {
        const name = 'EU (west+ & "1"=';
        const size = { servers: 9, integrations: 5, changes: 2 };
        const document = largePlan(size);
        const servers = document.servers.map((server, at) => {
          return at === 2 ? { ...server, name } : server;
        });
        const { page } = await opened({ ...document, servers });
        await page.locator('#servers').selectOption(name);
        const shown = await page.locator('#shown').textContent();
        expect(shown).toBe('8 of 72 shown');
        const hash = hashOf(page);
        const again = await opened({ ...document, servers }, { hash });
        expect(await again.page.locator('#shown').textContent()).toBe(shown);
        await page.locator('#servers').selectOption('all servers');
        expect(hashOf(page)).toBe('');
      });
    });

    describe('the address', () => {
      test('has the filter, and brings it back', async () => {
        const { page } = await opened(sampleDocument());
        await page.locator('#filter').fill('soc alerts');
        await page.locator('.chip[data-token="label=drift"]').click();
        expect(hashOf(page)).toBe('#q=soc+alerts&label=drift');
        const again = await opened(sampleDocument(), { hash: hashOf(page) });
        const shown = again.page.locator('#shown');
        expect(await shown.textContent()).toBe('2 of 15 shown');
        const box = again.page.locator('#filter');
        expect(await box.inputValue()).toBe('soc alerts');
      });

      test('of a card clears the filter only if that hides the card', async () => {
        const { page } = await opened(sampleDocument());
        const focused = page.locator('.card:focus h3');
        await page.locator('#filter').fill('-jira');
        await page.locator('.matrix a.sq[href="#i-slack"]').first().click();
        expect(await focused.textContent()).toBe('slack');
        expect(await page.locator('#filter').inputValue()).toBe('-jira');
        await page.locator('.matrix a.sq[href="#i-jira"]').first().click();
        expect(await focused.textContent()).toBe('jira');
        expect(await page.locator('#filter').inputValue()).toBe('');
        expect(hashOf(page)).toBe('#i-jira');
      });

      test('of what went well opens its fold', async () => {
        const { page } = await opened(applied());
        const name = page.locator('#i-alpha');
        expect(await name.isVisible()).toBe(false);
        await page.locator('.matrix a.sq[href="#i-alpha"]').first().click();
        expect(await name.isVisible()).toBe(true);
      });

      test('of another part of the page leaves the filter', async () => {
        const { page } = await opened(sampleDocument());
        await page.locator('#filter').fill('jira');
        await page.locator('a[href="#left"]').first().click();
        expect(await shownCards(page)).toEqual(['jira']);
      });

      test('that is none is no error and hides nothing', async () => {
        const { page, noticed } = await opened(sampleDocument());
        const url = page.url();
        const none = ['#i-nothing', '#q=', '#&&', '#i-%', '#risk=none&x'];
        for (const hash of [...none, '#shown', '#q=%E0%A4%A']) {
          await page.goto('about:blank');
          await page.goto(url + hash);
          const count = hash.startsWith('#q=%') ? 0 : 5;
          expect(await shownCards(page), hash).toHaveLength(count);
        }
        expect(noticed).toEqual([]);
      });

      test('leads to names with any characters', async () => {
        const name = 'a b/ü&q=%41"#+\u202e';
        const document = foreignDocument(name);
        const { page } = await opened(document);
        await page.locator('.card h3 a').first().click();
        const again = await opened(document, { hash: hashOf(page) });
        const marked = again.page.locator('.card:has(:target)');
        expect(await marked.count()).toBe(1);
      });
    });

    test('/ goes to the filter, Escape clears it', async () => {
      const { page } = await opened(sampleDocument());
      await page.keyboard.press('/');
      await page.keyboard.type('jira/');
      expect(await page.locator('#filter').inputValue()).toBe('jira/');
      await page.keyboard.press('Escape');
      expect(await page.locator('#shown').textContent()).toBe('');
      expect(hashOf(page)).toBe('');
    });

    test('a button copies what the filter finds', async () => {
      const { page } = await opened(sampleDocument());
      const button = page.getByLabel('Copy jira.options.comments.value');
      await button.focus();
      expect(await styleOf(button, 'opacity')).toBe('1');
      await page.keyboard.press('Enter');
      const said = page.locator('#said');
      const copied = 'Copied jira.options.comments.value';
      await expect.poll(() => said.textContent()).toBe(copied);
      await page.locator('#filter').focus();
      await page.keyboard.press('ControlOrMeta+v');
      const pasted = await page.locator('#filter').inputValue();
      expect(pasted).toBe('jira.options.comments.value');
      expect(await shownCards(page)).toEqual(['jira']);
    });

    test('without script shows all but the filter', async () => {
      const { page } = await opened(sampleDocument(), { hasScript: false });
      for (const name of ['#filter', '.chip', '.copy']) {
        expect(await page.locator(name).first().isVisible()).toBe(false);
      }
      expect((await shownCards(page)).length).toBe(5);
      await page.locator('.matrix a[href="#i-slack"]').first().click();
      const card = page.locator('.card', { has: page.locator('#i-slack') });
      expect(await styleOf(card, 'outlineStyle')).toBe('solid');
    });

    test('prints everything, in the colours of paper', async () => {
      const { page } = await opened(sampleDocument(), { colorScheme: 'dark' });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('#filter').isVisible()).toBe(false);
      const waived = page.getByText('slow until the upgrade');
      expect(await waived.isVisible()).toBe(true);
      const ink = await styleOf(page.locator('body'), 'color');
      expect(ink).toBe('rgb(26, 34, 48)');
    });

    test('keeps the filter at hand while one scrolls', async () => {
      const { page } = await opened(sampleDocument());
      await page.locator('#left').scrollIntoViewIfNeeded();
      const box = await page.locator('#filter').boundingBox();
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
      for (const foreign of [foreignDocument, foreignApply]) {
        const document = foreign(hostile);
        const { page, noticed } = await opened(document);
        await page.evaluate(
          `addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.log(effectiveDirective))`,
        );
        await page.locator('h3 a').first().click();
        const shown = page.locator('h3').getByText(hostile.slice(0, 60));
        expect(await shown.count()).toBeGreaterThan(0);
        expect(await page.locator('img, svg, iframe').count()).toBe(0);
        expect(await page.locator('script').count()).toBe(1);
        expect(noticed).toEqual([]);
      }
    });

    test('would run nothing even if markup got through', async () => {
      const { page, noticed } = await opened(sampleDocument());
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
      const directives = ['img-src', 'script-src-attr', 'style-src-attr'];
      expect(await blocked).toEqual(directives);
      // The alert of the click.
      expect(noticed).not.toContain('1');
    });

    test('of 3,000 changes filters and leads to all of them', async () => {
      const size = { servers: 1, integrations: 300, changes: 10 };
      const { page, noticed } = await opened(largePlan(size));
      await page.locator('#filter').fill('drift integration-2');
      const shown = page.locator('#shown');
      expect(await shown.textContent()).toMatch(/^[1-9]\d+ of 3000 shown$/);
      await page.evaluate(`location.hash = '#i-integration-177'`);
      const card = page.locator('.card:focus');
      expect(await card.locator('h3').textContent()).toBe('integration-177');
      expect(await shown.textContent()).toBe('');
      expect(noticed).toEqual([]);
    });
  },
);
