// A week of a team with two servers: what stands in examples/team is applied, somebody moves production by hand, and a
// branch changes the configuration. The pictures of the documentation are drawn from its reports.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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

const CLI = resolve('dist/cli.cjs');

/** Each server with the settings of its sandbox. */
const SERVERS = [
  { name: 'staging', port: '4010', settings: [] },
  { name: 'production', port: '4011', settings: ['--passwords', 'masked'] },
];

const ENV = {
  ...process.env,
  FORCE_COLOR: '1',
  COLUMNS: '80',
  GIT_AUTHOR_NAME: 'nobody',
  GIT_AUTHOR_EMAIL: 'nobody@example.com',
  GIT_COMMITTER_NAME: 'nobody',
  GIT_COMMITTER_EMAIL: 'nobody@example.com',
  SETPOINT_USERNAME: 'admin',
  SETPOINT_PASSWORD: 'admin',
  SETPOINT_THREATLOOKUP_KEY: 'a-key-of-nobody-1',
  SETPOINT_DETONATION_KEY: 'a-key-of-nobody-2',
  SETPOINT_ASSETS_SECRET: 'a-key-of-nobody-3',
};

/** Reports of the scene, by name. */
export async function playScene() {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-pictures-'));
  const sandboxes = SERVERS.map(({ port, settings }) => {
    const args = [CLI, 'sandbox', '--port', port, ...settings];
    const stdio = ['ignore', 'pipe', 'ignore'];
    return spawn(process.execPath, args, { stdio });
  });
  try {
    await Promise.all(sandboxes.map(({ stdout }) => once(stdout, 'data')));
    cpSync('examples/team', folder, { recursive: true });
    return reportsOf(projectIn(folder));
  } finally {
    for (const sandbox of sandboxes) sandbox.kill();
    rmSync(folder, { recursive: true });
  }
}

/** What people and jobs do in a repository, and on a server. */
function projectIn(folder) {
  /** Runs setpoint; what it prints on a terminal is the report. */
  function setpoint(...args) {
    const options = { cwd: folder, env: ENV, encoding: 'utf8' };
    const ran = spawnSync(process.execPath, [CLI, ...args], options);
    // A plan that apply refuses ends with 6.
    if (ran.status !== 0 && ran.status !== 6) throw new Error(ran.stderr);
    return ran.stdout;
  }
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const write = (file, text) => writeFileSync(join(folder, file), text);
  const git = (...args) => execFileSync('git', args, { cwd: folder, env: ENV });
  return {
    setpoint,
    read,
    write,
    git,
    commit(message) {
      git('add', '.');
      git('commit', '--quiet', '--message', message);
    },
    /** Replaces texts of a file; each must be there. */
    edit(file, ...edits) {
      let text = read(file);
      for (const [before, after] of edits) {
        if (!text.includes(before)) throw new Error(`${file} lacks ${before}`);
        text = text.replace(before, () => after);
      }
      write(file, text);
    },
    /** Changes a server as a person would in its interface. */
    move(url, entries) {
      const config = { version: 1, integrations: entries };
      write('by-hand.yaml', JSON.stringify(config));
      setpoint('apply', '-f', 'by-hand.yaml', '--url', url, '--yes', '--quiet');
    },
  };
}

/** Applies what main says; then people move the servers. */
function applyMain({ setpoint, write, git, commit, edit, move }) {
  const [staging, production] = SERVERS.map(
    ({ port }) => `http://localhost:${port}`,
  );
  edit(
    'setpoint.yaml',
    ['https://integrations-staging.example.com', staging],
    ['https://integrations.example.com', production],
  );
  write('.gitignore', 'by-hand.yaml\n');
  git('init', '--quiet', '--initial-branch', 'main');
  commit('base');
  setpoint('apply', '--yes', '--quiet', '--write-hidden', 'all');
  const detonation = { match: 'file_detonation_*' };
  move(staging, {
    detonation: { ...detonation, options: { submitUnknown: true } },
  });
  move(production, {
    assets: { match: 'asset_inventory_*', options: { maxResults: 100 } },
    detonation: {
      ...detonation,
      options: { submitUnknown: true, environments: ['linux-24'] },
    },
    logs: {
      match: 'log_search_*',
      // Pasted from a text with hyphens of its own.
      options: { account: 'security\u2010operations', timeRange: '-7d' },
    },
    tickets: { match: { acronym: 'TKT' }, options: { priority: '1' } },
  });
}

/** Changes the configuration on a branch. */
function changeBranch({ git, commit, edit }) {
  git('switch', '--quiet', '--create', 'limits');
  const waiver =
    '{ address: detonation.environments, until: 2030-01-31, reason: desktops move }';
  edit('setpoint.yaml', ['policy:', `waivers:\n  - ${waiver}\npolicy:`]);
  edit(
    'base/values.yaml',
    ['results: 25', 'results: 50'],
    ['domain, hash]', 'domain, hash, url]'],
  );
  edit(
    'base/intelligence.yaml',
    [
      'timeout: { value: "${env:SETPOINT_LOOKUP_TIMEOUT:-20}", sensitive: false }',
      'timeout: 30',
    ],
    [
      'mode: { permission: user-provides }',
      'mode: { value: thorough, permission: lock-and-show } # one depth for all',
    ],
  );
  edit(
    'base/operations.yaml',
    ['      timeRange: "-24h"\n', ''],
    ['value: "2"', 'value: "1"'],
  );
  edit('production.yaml', [
    'password: ${env:SETPOINT_ASSETS_SECRET}',
    'username: reader\n      password: { value: "${env:SETPOINT_ASSETS_SECRET}", rotated: 2026-11-21 }',
  ]);
  commit('branch');
}

/** Reports of the branch, first without and then with a risk that is refused. */
function reportsOf(project) {
  const { setpoint, read, edit, commit } = project;
  applyMain(project);
  changeBranch(project);
  const review = ['plan', '--base', 'main'];
  const page = ['--report', 'html=page.html'];
  const reports = {
    plan: setpoint(...review, '--server', 'production'),
  };
  setpoint(...review, ...page);
  reports.page = read('page.html');
  edit('base/intelligence.yaml', [
    'apiToken: ${env:SETPOINT_DETONATION_KEY}',
    'apiToken: { value: "${env:SETPOINT_DETONATION_KEY}", permission: lock-and-show }',
  ]);
  commit('refused');
  reports.text = setpoint(...review);
  setpoint(...review, ...page, '--report', 'markdown=comment.md');
  reports.refusedPage = read('page.html');
  reports.comment = read('comment.md');
  return reports;
}
