import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { decodeSaved } from '../src/core/plan/saved.ts';
import { gitRepository } from './support/git-repository.ts';
import { liveSandbox } from './support/live-sandbox.ts';
import { PROGRAM } from './support/program.ts';
import { ADMIN, run } from './support/run.ts';
import { IS_SOAK } from './support/soak.ts';
import { tempFolder } from './support/temp.ts';

/** The address of a server in what people read. */
const SERVER = 'https://platform.example.com';

/** The blocks of a document in a language, in its order. */
function blocksOf(path: string, language: string): string[] {
  const all = readFileSync(path, 'utf8').matchAll(
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'),
  );
  return [...all].map(([, text = '']) => text);
}

/** Runs lines as a person types them, with setpoint installed; fails if one fails. */
async function typed(
  lines: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const setpoint = `setpoint() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
  const shell = { PATH: process.env['PATH'], HOME: cwd, ...env };
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-ec', `${setpoint}\n${lines}`],
    { cwd, env: shell },
  );
  return stdout;
}

const [install = '', fromServer = '', pullRequest = ''] = blocksOf(
  'README.md',
  'sh',
);

test('the commands of a fresh machine are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...install.matchAll(/^npm ci && npm (?:run )?(\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(named).toEqual(['demo', 'test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

test('two commands lead from a running server to an empty plan', async () => {
  const { url } = await liveSandbox();
  const cwd = await tempFolder();
  const shown = await typed(fromServer.replaceAll(SERVER, url), cwd, ADMIN);
  expect(shown).toMatch(
    /^Plan +Nothing to change in \d+ managed integrations/m,
  );
  expect(await readdir(cwd)).toEqual(
    expect.arrayContaining(['integrations', 'setpoint.env', 'setpoint.yaml']),
  );
});

test.runIf(IS_SOAK)(
  'the commands of a pull request lead from a snapshot to a server without drift',
  async () => {
    const { url, seen } = await liveSandbox();
    const entry = (timeout: number) =>
      `version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, options: { timeout: ${timeout} } }\n`;
    const { root, git, commit } = await gitRepository({
      'setpoint.yaml': `version: 1\nservers: { production: { url: "${url}", config: [base/] } }\n`,
      'base/lookup.yaml': entry(10),
      '.gitignore': 'plan.json\n',
    });
    git('update-ref', 'refs/remotes/origin/main', 'main');
    await commit({ 'base/lookup.yaml': entry(30) });
    const shown = await typed(pullRequest, root, ADMIN);
    const totals = shown.match(/^(?:Diff|Plan|Apply) {2,}.*$/gm);
    expect(totals).toEqual([
      'Plan  1 change in 1 integration on production',
      'Plan  1 change in 1 integration on production',
      'Apply  1 of 1 change written (1 verified) on production',
      'Plan          Nothing to change in 1 managed integration on production',
    ]);
    expect(seen().filter((each) => each.startsWith('PATCH'))).toHaveLength(1);
  },
);

test('the YAML of docs/configuration.md is valid', async () => {
  const [entries = '', project = ''] = blocksOf(
    'docs/configuration.md',
    'yaml',
  );
  const certificate = await readFile('test/fixtures/tls/authority.pem', 'utf8');
  const layer =
    'version: 1\nintegrations: { splunk: { match: splunk_*, options: { timeout: 20 } } }\n';
  const cwd = await tempFolder({
    'setpoint.yaml': project,
    'certs/ca.pem': certificate,
    'base/entries.yaml': entries,
    ...{ 'staging.yaml': layer, 'production.yaml': layer },
  });
  const { code, stderr } = await run(['validate'], {
    cwd,
    now: () => Date.parse('2026-11-22'),
  });
  expect([code, stderr]).toEqual([0, '']);
});

test('the job of docs/ci.md gives the action what it takes', () => {
  const [job = ''] = blocksOf('docs/ci.md', 'yaml');
  const { inputs } = parse(readFileSync('action.yml', 'utf8'));
  const given: readonly { uses: string; with: object }[] = parse(job).steps;
  const own = given.find(({ uses }) => uses.startsWith('example/setpoint@'));
  expect(Object.keys(inputs)).toEqual(
    expect.arrayContaining(Object.keys(own?.with ?? {})),
  );
});

test('the example of the document is one, and its lines of jq find what they say', async () => {
  const [example = ''] = blocksOf('docs/document.md', 'json');
  const decoded = decodeSaved(JSON.parse(example), 'apply');
  if (!('document' in decoded)) throw new Error(decoded.problem);
  const [server] = decoded.document.servers;
  const [integration] = server?.integrations ?? [];
  expect(integration?.left.map(({ because }) => because)).toEqual(
    expect.arrayContaining(['hidden', 'unread', 'waived', 'settled']),
  );
  const isThere = await promisify(execFile)('jq', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const [lines = ''] = blocksOf('docs/document.md', 'sh');
  const cwd = await tempFolder({ 'plan.json': example });
  expect((await typed(lines, cwd, {})).split('\n')).toEqual([
    'virustotal.options.apiKey.value',
    'virustotal.options.timeout.value',
    'virustotal.options.pin.value ${env:SETPOINT_VT_PIN}',
    expect.stringMatching(/^base\/virustotal\.yaml:11 warning padded-text: /),
    '',
  ]);
});
