import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerDocument } from '../src/core/plan/plan-document.ts';
import { gitRepository } from './support/git-repository.ts';
import { configuration, liveSandbox, option } from './support/live-sandbox.ts';
import { ADMIN, type RunResult, run } from './support/run.ts';
import { tempFolder } from './support/temp.ts';

const ENV = { ...ADMIN, PATH: process.env['PATH'] ?? '' };
const UNTIL = '2026-12-31';
const BEFORE = () => Date.parse('2026-12-31T23:00:00Z');
const AFTER = () => Date.parse('2027-01-01T00:00:00Z');

const lookup = (options: string) =>
  `version: 1\nintegrations:\n  lookup: { match: lookup_*, options: { ${options} } }\n`;

/** Every file below a folder, those of git too, as its path and content. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Promise.all(
    paths
      .sort()
      .map(async (path) => `${path} ${await readFile(path, 'latin1')}`),
  );
}

/** Two servers under one configuration in git, a person who changes servers by hand, and one who runs commands. */
async function team() {
  const catalog = await tempFolder({
    'lookup_1.json': configuration(
      ...['mode', 'proxy', 'timeout'].map((key) => option(key, 'text', 'x')),
    ),
  });
  const servers = {
    staging: await liveSandbox({ catalog, ids: { lookup_1: 'lookup_1' } }),
    production: await liveSandbox({ catalog, ids: { lookup_1: 'lookup_1' } }),
  };
  const project = (rest = '') => {
    const listed = Object.entries(servers).map(
      ([name, { url }]) =>
        `  ${name}: { url: "${url}", config: [base/, ${name}.yaml] }\n`,
    );
    return `version: 1\nservers:\n${listed.join('')}${rest}`;
  };
  const repository = await gitRepository({
    'setpoint.yaml': project(),
    'base/lookup.yaml': lookup('mode: fast, timeout: short'),
    'staging.yaml': lookup('proxy: s.example.com'),
    'production.yaml': lookup('proxy: p.example.com'),
  });
  const reports = await tempFolder();
  const { root } = repository;
  /** Runs a command, which leaves everything as it was but for the reports that it is asked for. */
  const setpoint = async (
    args: readonly string[],
    asked: readonly string[] = [],
    now = BEFORE,
  ) => {
    const before = await filesBelow(root);
    const named = asked.flatMap((format) => [
      '--report',
      `${format}=${join(reports, `report.${format}`)}`,
    ]);
    const result = await run([...args, ...named], { cwd: root, env: ENV, now });
    expect(await filesBelow(root)).toEqual(before);
    return result;
  };
  const report = (format: string) =>
    readFile(join(reports, `report.${format}`), 'utf8');
  /** Changes a server past the configuration. */
  const byHand = async (server: keyof typeof servers, options: string) => {
    const cwd = await tempFolder({ 'a.yaml': lookup(options) });
    const flags = `apply --yes -f a.yaml --url ${servers[server].url}`;
    expect((await run(flags, { cwd, env: ENV })).code).toBe(0);
  };
  /** How many writes each server has seen since it was last asked. */
  const writes = () =>
    Object.values(servers).map(
      ({ seen }) => seen().filter((each) => each.startsWith('PATCH')).length,
    );
  return { ...repository, project, setpoint, report, byHand, writes, reports };
}

/** Every difference of a JSON report: its server, address and label. */
function differences(text: string): string[] {
  const { servers } = JSON.parse(text) as {
    readonly servers: readonly ServerDocument[];
  };
  return servers.flatMap(({ name, integrations }) =>
    integrations.flatMap(({ changes }) =>
      changes.map(({ address, label }) => `${name} ${address} ${label ?? ''}`),
    ),
  );
}

/** The exit code, and what is said beside the lines of finished servers. */
const quiet = ({ code, stderr }: RunResult) => [
  code,
  stderr.replace(/^.* \d+\.\d s\n/gm, ''),
];

test('a change goes from its branch to two servers, and what drifts afterwards is told each night', async () => {
  const {
    git,
    write,
    commit,
    project,
    setpoint,
    report,
    byHand,
    writes,
    reports,
  } = await team();
  const nightly = (now = BEFORE) =>
    setpoint(
      ['plan', '--base', 'HEAD', '--exit-code', '--strict'],
      ['json'],
      now,
    );

  // The servers are as the main branch has them.
  expect((await setpoint(['apply', '--yes'])).code).toBe(0);
  expect(quiet(await nightly())).toEqual([0, '']);

  // A branch changes one value of both, while somebody changes another one of production.
  git('checkout', '--quiet', '-b', 'thorough');
  await commit({
    'base/lookup.yaml': lookup('mode: thorough, timeout: short'),
  });
  await byHand('production', 'timeout: long');
  writes();

  // The pull request: what the branch says, without a server; then what it does to each, and what was moved there.
  expect((await setpoint(['diff', 'main', '--exit-code'], ['text'])).code).toBe(
    2,
  );
  expect(await report('text')).toMatch(/fast[\s\S]*thorough/);
  expect(
    (await setpoint(['plan', '--base', 'main'], ['text', 'json'])).code,
  ).toBe(0);
  expect(await report('text')).toMatch(
    /fast[\s\S]*thorough[\s\S]*long[\s\S]*short/,
  );
  expect(differences(await report('json'))).toEqual([
    'staging lookup.options.mode.value change',
    'production lookup.options.mode.value change',
    'production lookup.options.timeout.value drift',
  ]);
  expect(writes()).toEqual([0, 0]);

  // After the merge what was reviewed is applied, and a second time there is nothing to do.
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '--message', 'merge', 'thorough');
  const reviewed = join(reports, 'report.json');
  expect((await setpoint(['apply', reviewed, '--yes'])).code).toBe(0);
  expect(writes()).toEqual([1, 1]);
  expect((await setpoint(['apply', reviewed, '--yes'])).code).toBe(0);
  expect(writes()).toEqual([0, 0]);
  expect(quiet(await nightly())).toEqual([0, '']);

  // Somebody changes production by hand: the night tells of this alone.
  await byHand('production', 'timeout: longer');
  expect((await nightly()).code).toBe(2);
  expect(differences(await report('json'))).toEqual([
    'production lookup.options.timeout.value drift',
  ]);

  // It may stay for a while: the nights are quiet, and say why, until that day is over.
  const waiver = `{ address: lookup.options.timeout, server: production, until: ${UNTIL}, reason: until the upgrade }`;
  await write({ 'setpoint.yaml': project(`waivers:\n  - ${waiver}\n`) });
  await commit();
  const waived = await nightly();
  expect(quiet(waived)).toEqual([0, '']);
  expect(waived.stdout).toMatch(/^Waived +1 field .*lookup\.timeout/m);
  expect((await nightly(AFTER)).code).toBe(3);
  expect(differences(await report('json'))).toEqual([
    'production lookup.options.timeout.value drift',
  ]);
});
