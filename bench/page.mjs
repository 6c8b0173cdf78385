import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { module } from './bundled.mjs';

const BROWSER = '/usr/bin/chromium';

/** How many changes the page has. */
const CHANGES = 10_000;

/** What the HTML page takes of a browser's main thread: rows of the table. */
export async function page(folder, { rounds }) {
  const against = 'a bare table of as many rows';
  const rows = { part: 'page', count: CHANGES };
  if (!existsSync(BROWSER)) {
    return [{ ...rows, name: 'open', note: 'chromium is not installed here' }];
  }
  const { largePage } = await import(
    pathToFileURL(await module('page-figures.mjs', folder)).href
  );
  await writeFile(join(folder, 'page.html'), largePage(CHANGES));
  await writeFile(join(folder, 'bare.html'), barePage(CHANGES));
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox'],
  });
  try {
    const own = await fastest(browser, join(folder, 'page.html'), rounds);
    const bare = await fastest(browser, join(folder, 'bare.html'), rounds);
    const reference = { wall: bare.open };
    const opening = { name: 'open', against, goal: { wall: 1.5 } };
    return [
      { ...rows, ...opening, own: { wall: own.open }, reference },
      { ...rows, name: 'filter by a word', own: { wall: own.filter } },
    ];
  } finally {
    await browser.close();
  }
}

function barePage(count) {
  const cells = '<td>option</td><td>before</td><td>after</td><td></td><td>1';
  return `<!doctype html><table>${`<tr>${cells}`.repeat(count)}</table>`;
}

/** The least time of some rounds, in milliseconds of the main thread. */
async function fastest(browser, path, rounds) {
  const opened = [];
  const filtered = [];
  for (let round = 0; round < rounds; round += 1) {
    const tab = await browser.newPage();
    const metrics = await tab.context().newCDPSession(tab);
    await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
    await tab.goto(pathToFileURL(path).href, { timeout: 0 });
    await tab.evaluate(PAINTED);
    const open = await busy(metrics);
    await tab.evaluate(FILTERED);
    opened.push(open);
    filtered.push((await busy(metrics)) - open);
    await tab.close();
  }
  return { open: Math.min(...opened), filter: Math.min(...filtered) };
}

const PAINTED =
  'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

const FILTERED = `{
  const box = document.getElementById('filter');
  if (box) {
    box.value = 'drift';
    box.dispatchEvent(new Event('input'));
  }
  ${PAINTED};
}`;

async function busy(metrics) {
  const { metrics: all } = await metrics.send('Performance.getMetrics');
  const { value } = all.find(({ name }) => name === 'TaskDuration');
  return value * 1_000;
}
