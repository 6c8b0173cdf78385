import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import type { Report } from '../../src/core/report/report.ts';
import { planSamples } from '../support/html-plans.ts';
import { rendered } from '../support/rendered.ts';
import { tempFolder } from '../support/temp.ts';

/** The first browser on the path; undefined where there is none. */
function installedBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = ['chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const installed = installedBrowser();

test('a browser is installed where these tests must run', () => {
  if (process.env['SETPOINT_BROWSER'] === 'required') expect(installed).toBeDefined();
});

/** A page of a report that was opened from a file, and what it did beside showing itself. */
interface Opened {
  readonly page: Page;
  /** Requests, messages of the console, errors and dialogs; the page itself is none of them. */
  readonly noticed: readonly string[];
}

describe.skipIf(installed === undefined)('a report in a browser (needs chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    // Its sandbox needs rights that a container has not; it opens only our own pages.
    browser = await chromium.launch({ executablePath: installed ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  async function opened(report: Report, width = 1280, findings: readonly Diagnostic[] = []): Promise<Opened> {
    const folder = await tempFolder({});
    const path = join(folder, 'report.html');
    await writeFile(path, rendered('html', report, findings));
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    onTestFinished(() => page.close());
    const url = pathToFileURL(path).href;
    const noticed: string[] = [];
    page.on('request', (request) => request.url() === url || noticed.push(request.url()));
    page.on('console', (message) => noticed.push(message.text()));
    page.on('pageerror', (error) => noticed.push(String(error)));
    page.on('dialog', async (dialog) => {
      noticed.push(dialog.message());
      await dialog.dismiss();
    });
    await page.goto(url);
    return { page, noticed };
  }

  const sample = (name: string): Report => {
    const { servers = [] } = planSamples()[name] ?? {};
    return { kind: 'plan', isComplete: true, servers };
  };
  const inSight = (page: Page, selector: string) => page.locator(`${selector}:visible`).count();
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

  test('on a phone a name is not broken inside a word, and buttons share a row', async () => {
    const { servers = [] } = planSamples()['all-labels'] ?? {};
    const name = 'integrations-production';
    // Without labels there is one list to choose from beside the two buttons.
    const named = servers.slice(0, 1).map(({ base: _, summary: { labels: __, ...summary }, ...plan }) => ({
      ...plan,
      summary,
      name,
    }));
    const { page } = await opened({ kind: 'plan', isComplete: true, servers: named }, 390);
    const word = `(() => {
      const text = document.querySelector('tbody th').firstChild;
      const range = document.createRange();
      range.setStart(text, ${name.indexOf('-') + 1});
      range.setEnd(text, ${name.length});
      return range.getClientRects().length;
    })()`;
    expect(await page.evaluate<number>(word)).toBe(1);
    const [open, close] = await Promise.all(['#open', '#close'].map((id) => page.locator(id).boundingBox()));
    expect(open?.y).toBe(close?.y);
    expect(await page.locator('#controls select').count()).toBe(1);
  });
  test.each([
    ['all-labels', 1280],
    ['all-labels', 390],
    ['3000-changes', 1280],
    ['3000-changes', 390],
  ])(
    '%s at %s pixels asks for nothing, complains of nothing, and is no wider than the window',
    async (name, width) => {
      const { page, noticed } = await opened(sample(name), width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('button', { name: 'Open all' }).click();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(noticed).toEqual([]);
    },
  );

  test('filters by text, label and risk, and says how many are left', async () => {
    const { page } = await opened(sample('3000-changes'));
    await page.getByLabel('Filter by text').fill('integration-007 proxy');
    expect(await page.locator('#count').textContent()).toBe('1 of 3000 shown');
    expect(await inSight(page, '.group')).toBe(1);
    await page.getByLabel('Filter by text').fill('');
    await page.getByLabel('Filter by label').selectOption('conflict');
    expect(await page.locator('#count').textContent()).toBe('300 of 3000 shown');
    await page.getByLabel('Filter by risk').selectOption('any risk');
    expect(await page.locator('#count').textContent()).toBe('0 of 3000 shown');
    expect(await inSight(page, '.group')).toBe(0);
    await page.getByLabel('Filter by label').selectOption('');
    await page.getByLabel('Filter by risk').selectOption('exposes-secret');
    expect(await page.locator('#count').textContent()).toBe('300 of 3000 shown');
    await page.keyboard.press('Escape');
    expect(await page.locator('#count').textContent()).toBe('');
    expect(await inSight(page, '.group')).toBe(300);
  });

  test('finds the changes of a server by its name, and a field by its address', async () => {
    const { servers = [] } = planSamples()['all-labels'] ?? {};
    const [first] = servers;
    if (first === undefined) throw new Error('no plan');
    const two = ['north', 'south'].map((name) => ({ ...first, name }));
    const { page } = await opened({ kind: 'plan', isComplete: true, servers: two });
    const shown = async (text: string) => {
      await page.getByLabel('Filter by text').fill(text);
      return inSight(page, 'section.server');
    };
    const { changes } = first.integrations.find((each) => each.changes.length > 0) ?? {};
    const address = changes?.[0]?.address ?? '';
    expect(address).toContain('.options.');
    expect([await shown('south'), await shown(address), await shown(`north ${address}`)]).toEqual([1, 2, 1]);
  });

  test('works by keys', async () => {
    const { page } = await opened(sample('3000-changes'));
    await page.keyboard.press('/');
    await page.keyboard.type('integration-01');
    expect(await page.getByLabel('Filter by text').inputValue()).toBe('integration-01');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toContain('integration-010');
    await page.keyboard.press('j');
    expect(await focused(page)).toContain('integration-011');
    await page.keyboard.press('k');
    expect(await focused(page)).toContain('integration-010');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    expect(await inSight(page, 'article')).toBe(0);
    await page.keyboard.press('Enter');
    expect(await inSight(page, 'article')).toBe(10);
  });

  test('is light or dark, as the system has it or as one likes', async () => {
    const { page } = await opened(sample('all-labels'));
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(17, 21, 27)'];
    expect(await background()).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).toBe(dark);
    const theme = page.getByRole('button', { name: 'Theme' });
    await theme.click();
    await theme.click();
    expect(await theme.textContent()).toBe('Theme: light');
    expect(await background()).toBe(light);
    await theme.click();
    expect(await background()).toBe(dark);
  });

  test('leads from a risk and from the matrix to the integration, and opens it', async () => {
    const { page } = await opened(sample('3000-changes'));
    await page.locator('.risks a').first().click();
    await expect.poll(() => focused(page)).toContain('integration-000');
    await expect.poll(() => inSight(page, 'article')).toBe(10);
    await page.getByText('200 integrations by server').click();
    await page.locator('.matrix a').nth(1).click();
    await expect.poll(() => focused(page)).toContain('integration-001');
    await expect.poll(() => inSight(page, 'article')).toBe(20);
  });

  test('is printed whole, without what works only on a screen', async () => {
    const { page } = await opened(sample('3000-changes'));
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('#controls').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Theme' }).count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator('.group[open]').count()).toBe(0);
  });

  test('filters the rows of a list', async () => {
    const row = { acronym: 'A', status: 'running', autosubscribe: true, errors: 0, options: 3 };
    const integrations = ['threat', 'vault'].map((name) => ({ ...row, id: `${name}_1`, name }));
    const { page, noticed } = await opened({
      kind: 'list',
      servers: [{ name: 's', url: 'u', integrations }],
    });
    await page.getByLabel('Filter by text').fill('vault');
    expect(await page.locator('tbody tr:visible').allTextContents()).toEqual(['runningyes03vaultvault_1']);
    expect(noticed).toEqual([]);
  });

  test('runs nothing that a plan brings', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus='alert(1)",
      '</style></script><svg onload=alert(1)>',
      'javascript:alert(1)',
    ].join(' ');
    const text = JSON.stringify(sample('all-labels')).replaceAll(
      'threat',
      JSON.stringify(hostile).slice(1, -1),
    );
    const { page, noticed } = await opened(JSON.parse(text));
    expect(await page.locator('summary').getByText(hostile.slice(0, 60)).count()).toBeGreaterThan(0);
    expect(await page.locator('img, svg').count()).toBe(0);
    expect(noticed).toEqual([]);
  });

  test('would run nothing even if markup got through', async () => {
    const { page, noticed } = await opened(sample('all-labels'));
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
    expect(await blocked).toEqual(['img-src', 'script-src-attr', 'style-src-attr']);
    // The alert of the click.
    expect(noticed).not.toContain('1');
  });
});
