import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import type { Document } from '../../src/core/plan/plan.ts';
import { sampleDocument } from '../support/documents.ts';
import { foreignDocument } from '../support/foreign-report.ts';
import { rendered } from '../support/rendered.ts';
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

describe.skipIf(installed === undefined)(
  'a report in a browser (needs chromium)',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      // Its sandbox needs rights that a container has not; it opens only our own pages.
      browser = await chromium.launch({
        executablePath: installed ?? '',
        args: ['--no-sandbox'],
      });
    });
    afterAll(() => browser.close());

    /** A report that was opened from a file, and its requests, messages, errors and dialogs. */
    async function opened(document: Document, width = 1280) {
      const folder = await tempFolder({
        'report.html': rendered('html', document),
      });
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      onTestFinished(() => page.close());
      const url = pathToFileURL(join(folder, 'report.html')).href;
      const noticed: string[] = [];
      page.on(
        'request',
        (request) => request.url() === url || noticed.push(request.url()),
      );
      page.on('console', (message) => noticed.push(message.text()));
      page.on('pageerror', (error) => noticed.push(String(error)));
      page.on('dialog', async (dialog) => {
        noticed.push(dialog.message());
        await dialog.dismiss();
      });
      await page.goto(url);
      return { page, noticed };
    }

    test.each([1280, 390])(
      'at %s pixels asks for nothing, complains of nothing, and is no wider than the window',
      async (width) => {
        const { page, noticed } = await opened(sampleDocument(), width);
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
        ).toBe(width);
        expect(noticed).toEqual([]);
      },
    );

    test('filters by words, and says how many are left', async () => {
      const { page } = await opened(sampleDocument());
      await page.getByLabel('Filter changes').fill('virustotal permission');
      expect(await page.locator('#count').textContent()).toBe('1 of 7');
      expect(await page.locator('details[data-item]:visible').count()).toBe(1);
    });

    test('runs nothing that a plan brings', async () => {
      const hostile = [
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' autofocus onfocus='alert(1)",
        '</style></script><svg onload=alert(1)>',
      ].join(' ');
      const { page, noticed } = await opened(foreignDocument(hostile));
      expect(
        await page.locator('summary').getByText(hostile.slice(0, 60)).count(),
      ).toBeGreaterThan(0);
      expect(await page.locator('img, svg').count()).toBe(0);
      expect(noticed).toEqual([]);
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
      expect(await blocked).toEqual([
        'img-src',
        'script-src-attr',
        'style-src-attr',
      ]);
      // The alert of the click.
      expect(noticed).not.toContain('1');
    });
  },
);
