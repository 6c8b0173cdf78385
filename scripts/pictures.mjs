// Draws docs/plan.png and docs/page.png: plans of examples/team on two local servers, in a terminal of 80 columns and as an
// HTML page. Needs chromium.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const CLI = resolve('dist/cli.cjs');
const PORTS = { staging: '4010', production: '4011' };
const FOLDER = mkdtempSync(join(tmpdir(), 'setpoint-pictures-'));
const env = {
  ...process.env,
  ...{
    FORCE_COLOR: '1',
    COLUMNS: '80',
    SETPOINT_USERNAME: 'admin',
    SETPOINT_PASSWORD: 'admin',
  },
  ...{
    SETPOINT_THREATLOOKUP_KEY: 'a-key-of-nobody-1',
    SETPOINT_DETONATION_KEY: 'a-key-of-nobody-2',
  },
  SETPOINT_ASSETS_SECRET: 'a-key-of-nobody-3',
};

const servers = Object.values(PORTS).map((port) =>
  spawn(process.execPath, [CLI, 'sandbox', '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
try {
  await Promise.all(servers.map(({ stdout }) => once(stdout, 'data')));
  cpSync('examples/team', FOLDER, { recursive: true });
  const project = readFileSync('examples/team/setpoint.yaml', 'utf8');
  const urls = Object.entries(PORTS).reduce(
    (text, [name, port]) =>
      text.replace(
        new RegExp(`(${name}:\\n +url: ).*`),
        `$1http://localhost:${port}`,
      ),
    project,
  );
  writeFileSync(join(FOLDER, 'setpoint.yaml'), urls);
  const run = (...args) =>
    execFileSync(process.execPath, [CLI, ...args], {
      cwd: FOLDER,
      env,
      encoding: 'utf8',
    });
  const text = run('plan', '--server', 'production');
  run('plan', '--report', 'html=page.html');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  await picture(browser, {
    path: 'docs/plan.png',
    width: 720,
    html: terminal(text),
  });
  const html = readFileSync(join(FOLDER, 'page.html'), 'utf8');
  await picture(browser, { path: 'docs/page.png', width: 960, html });
  await browser.close();
} finally {
  for (const server of servers) server.kill();
  rmSync(FOLDER, { recursive: true });
}

async function picture(browser, { path, width, html }) {
  const page = await browser.newPage({ viewport: { width, height: 400 } });
  await page.setContent(html);
  await page.screenshot({ path, fullPage: true });
  await page.close();
}

/** A text with colours as a page. */
function terminal(text) {
  const names = {
    1: 'bold',
    2: 'faint',
    90: 'faint',
    31: 'red',
    32: 'green',
    33: 'yellow',
    35: 'magenta',
    36: 'cyan',
    7: 'marked',
  };
  const safe = `$ setpoint plan --server production\n${text}`
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  const [start, ...parts] = safe.split('\u001b[');
  const spans = parts.map((part) => {
    const [, code, words] = /^(\d+)m(.*)$/s.exec(part);
    return `${names[code] === undefined ? '</span>' : `<span class="${names[code]}">`}${words}`;
  });
  return `<style>
    body { margin: 0; background: #16191d; } pre { margin: 16px; color: #d6dae0; font: 13px/1.45 monospace; }
    .bold { font-weight: bold; color: #fff; } .faint { color: #8b929c; } .red { color: #ff7b72; }
    .green { color: #5ec66f; } .yellow { color: #e3b341; } .cyan { color: #6cc7d4; } .magenta { color: #d2a8ff; } .marked { filter: invert(1); }
  </style><pre>${start}${spans.join('')}</pre>`;
}
