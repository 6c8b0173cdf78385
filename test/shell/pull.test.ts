import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Pulled } from '../../src/core/report/text/pull.ts';
import type { Signal } from '../../src/shell/runtime.ts';
import { gitRepository } from '../support/git-repository.ts';
import { editorWith } from '../support/language-server.ts';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { configuration, option } from '../support/own-catalog.ts';
import { filesIn, loaded } from '../support/pulled.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const SECRET = 'CANARY-of-a-key-1';

const JIRA = configuration(
  option('url', 'text', 'https://jira.example.com', { adminOnly: false }),
  option('apiKey', 'password', SECRET, { description: `Not ${SECRET}, but your own.` }),
  option('timeout', 'number', 30, { name: 'Time out', description: 'Seconds.\u0007\nAt most 60.' }),
  option('mode', 'select', 'fast', {
    options: [
      { value: 'fast', display: 'Fast' },
      { value: 'safe', display: 'safe' },
    ],
  }),
  option('own', 'text', '', { adminOnly: false, userCanEdit: true }),
);
const MISP = configuration(option('note', 'text', 'line\n\nlast\n'), option('limit', 'number', 1));

interface Document {
  readonly servers: readonly Pulled[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  }[];
}

const codes = (result: RunResult) => json<Document>(result).diagnostics.map(({ code }) => code);

const hint = (result: RunResult) => json<Document>(result).diagnostics[0]?.hint;

/** A server with these integrations, and what pulls from it into a folder of its own. */
async function serverOf(
  integrations: Readonly<Record<string, string>>,
  cwd?: string,
  { ids = {}, settings = {} }: Pick<LiveWish, 'ids' | 'settings'> = {},
) {
  const files = Object.entries(integrations).map(([name, text]) => [`${name}.json`, text]);
  const catalog = await tempFolder(Object.fromEntries(files));
  const { url, exchanges } = await liveSandbox({ catalog, ids, settings });
  const folder = cwd ?? (await tempFolder());
  const pull = (...flags: readonly string[]) =>
    run(['pull', '--report', 'json', ...withUsual(flags, url)], {
      cwd: folder,
      env: { ...ADMIN, PATH: process.env['PATH'] ?? '' },
    });
  return { url, catalog, cwd: folder, pull, exchanges };
}

/** Flags, with the usual address and name where they have none. */
function withUsual(flags: readonly string[], url: string): string[] {
  const usual = { '--url': url, '--server': 'main' };
  return [...Object.entries(usual).flatMap((each) => (flags.includes(each[0]) ? [] : each)), ...flags];
}

/** A folder with what was pulled from one server, and a pull from another one at its address. */
async function movedOn(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const first = await serverOf(before);
  expect((await first.pull()).code).toBe(0);
  const second = await serverOf(after, first.cwd);
  const project = join(first.cwd, 'setpoint.yaml');
  await writeFile(project, (await readFile(project, 'utf8')).replace(first.url, second.url));
  return second;
}

describe('the files', () => {
  test('describe what is live, in as few words as possible', async () => {
    const { cwd, url, pull } = await serverOf({ jira: JIRA, misp: MISP });
    expect(codes(await pull())).toEqual([]);
    const files = filesIn(cwd);
    expect([...files.keys()]).toEqual([
      '.env.example',
      'integrations/jira.yaml',
      'integrations/misp.yaml',
      'schemas/main.schema.json',
      'schemas/project.schema.json',
      'setpoint.yaml',
    ]);
    expect(
      files.get('integrations/jira.yaml'),
    ).toBe(`# yaml-language-server: $schema=../schemas/main.schema.json
version: 1
integrations:
  jira:
    match: jira_*
    autosubscribe: false
    options:
      url: { value: https://jira.example.com, permission: lock-and-show }
      apiKey: { value: "\${env:SETPOINT_JIRA_API_KEY}", permission: lock-and-hide }
      timeout: { value: 30, permission: lock-and-hide }
      mode: { value: fast, permission: lock-and-hide }
      own: { permission: user-provides }
`);
    expect(files.get('integrations/misp.yaml')).toContain(`
      note:
        value: |
          line

          last
        permission: lock-and-hide
`);
    expect(files.get('setpoint.yaml')).toBe(`# yaml-language-server: $schema=schemas/project.schema.json
version: 1
servers:
  main:
    url: ${url}
    config: [integrations/]
`);
    expect(files.get('.env.example')).toContain('\n# jira.options.apiKey.value\nSETPOINT_JIRA_API_KEY=\n');
  });
  test('tell ids apart that differ by case alone', async () => {
    const { cwd, pull } = await serverOf({ a: MISP, b: MISP }, undefined, { ids: { a: 'CAFE', b: 'cafe' } });
    expect(codes(await pull())).toEqual([]);
    const planned = await run(['plan', '--exit-code', '--report', 'json'], { cwd });
    expect([planned.code, codes(planned)], planned.screen).toEqual([0, []]);
  });
  test.each(['aux', 'project'])('have names that every system can hold, of a server %s too', async (name) => {
    const { cwd, pull } = await serverOf({ con: MISP, nul: MISP, jira: JIRA });
    expect(codes(await pull('--server', name))).toEqual([]);
    expect([...filesIn(cwd).keys()]).toEqual([
      '.env.example',
      'integrations/jira.yaml',
      'integrations/nul-2.yaml',
      'integrations/of-a-test.yaml',
      `schemas/${name}-server.schema.json`,
      'schemas/project.schema.json',
      'setpoint.yaml',
    ]);
  });
  test('leave out what is at its default, with --catalog', async () => {
    const { cwd, catalog, pull } = await serverOf({ jira: JIRA });
    await pull('--catalog', catalog);
    expect(filesIn(cwd).get('integrations/jira.yaml')).toBe(
      '# yaml-language-server: $schema=../schemas/main.schema.json\nversion: 1\nintegrations:\n  jira:\n    match: jira_*\n    autosubscribe: false\n',
    );
  });
  test('explain each option with --comments, without secrets and control characters', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    await pull('--comments');
    const text = filesIn(cwd).get('integrations/jira.yaml') ?? '';
    expect(text).toContain('      # Not [secret], but your own.\n      apiKey: {');
    expect(text).toContain('      # Time out: Seconds. At most 60.\n      timeout: {');
    expect(text).toContain('      # Choices: fast (Fast), safe\n      mode: {');
  });
  test('are completed and found right by an editor', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA, misp: MISP });
    await pull();
    const files = filesIn(cwd);
    const editor = await editorWith(JSON.parse(files.get('schemas/main.schema.json') ?? ''));
    const text = files.get('integrations/jira.yaml') ?? '';
    const without = text.replace(/ {6}timeout: .*\n/, '      ‸\n');
    const [offered, marks] = [await editor.complete(without), await editor.marks(text)];
    await editor.close();
    expect(marks).toEqual([]);
    expect([...offered.keys()]).toEqual(['timeout']);
  });
  test('are one with --single-file, and another one for what comes later, which is named', async () => {
    const first = await serverOf({ jira: JIRA });
    await first.pull('--single-file', 'all.yaml');
    const second = await serverOf({ jira: JIRA, misp: MISP }, first.cwd);
    const project = join(first.cwd, 'setpoint.yaml');
    const text = (await readFile(project, 'utf8')).replace(first.url, second.url);
    expect(text).toContain('config: [all.yaml]');
    await writeFile(project, text);
    const pull = async () => json<Document>(await second.pull('--single-file', 'all.yaml')).servers[0];
    const step = 'Add all-2.yaml to the config of main in setpoint.yaml.';
    const report = await pull();
    expect([report?.files, report?.next[0]?.text]).toEqual([[{ path: 'all-2.yaml' }], step]);
    const again = await pull();
    expect([again?.files, again?.next[0]?.text]).toEqual([[], step]);
    const other = json<Document>(
      await second.pull('--server', 'other', '--url', first.url, '--single-file', 'all.yaml'),
    );
    expect(other.servers[0]?.files).toContainEqual({ path: 'all-other.yaml' });
    await writeFile(project, text.replace('[all.yaml]', '[all.yaml, all-2.yaml]'));
    const env = { ...ADMIN, SETPOINT_JIRA_API_KEY: SECRET };
    const planned = await run(['plan', '--exit-code'], { cwd: first.cwd, env });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('2 managed integrations')]);
  });
});

describe('a later pull', () => {
  test('adds what is new, touches nothing, and lists what is gone', async () => {
    const { cwd, pull } = await movedOn(
      { jira: JIRA, old: configuration(option('x', 'text', 'y')) },
      { jira: JIRA, misp: MISP },
    );
    const before = filesIn(cwd);
    const [report] = json<Document>(await pull()).servers;
    expect(report).toMatchObject({
      files: [{ path: 'integrations/misp.yaml' }],
      adopted: 1,
      managed: 1,
      notInstalled: [{ name: 'old' }],
    });
    const after = filesIn(cwd);
    expect([...before].filter(([path, text]) => after.get(path) !== text)).toEqual([]);
    expect([...after.keys()].filter((path) => !before.has(path))).toEqual(['integrations/misp.yaml']);
    expect(report?.next.map(({ text }) => text)).toContain(
      'The schema for editors is older than the server. To make it anew:',
    );
  });
  test('adds what is new beside an entry that now means two, and tells that as a plan does', async () => {
    const first = await serverOf({ vt: MISP }, undefined, { ids: { vt: 'vt_node_18_1' } });
    await first.pull();
    const ids = { vt: 'vt_node_18_1', next: 'vt_node_20_2' };
    const second = await serverOf({ vt: MISP, next: MISP, jira: JIRA }, first.cwd, { ids });
    const project = join(first.cwd, 'setpoint.yaml');
    await writeFile(project, (await readFile(project, 'utf8')).replace(first.url, second.url));
    const before = filesIn(first.cwd);
    const pulled = await second.pull();
    expect([pulled.code, codes(pulled)]).toEqual([3, ['several-matches']]);
    expect(json<Document>(pulled).servers[0]).toMatchObject({ adopted: 1, managed: 0, notInstalled: [] });
    expect(filesIn(first.cwd)).toEqual(new Map([...filesIn(first.cwd), ...before]));
    const env = { ...ADMIN, SETPOINT_JIRA_API_KEY: SECRET };
    const planned = await run(['plan', '--report', 'json'], { cwd: first.cwd, env });
    expect(json<Document>(planned).diagnostics).toEqual(json<Document>(pulled).diagnostics);
  });
  test('writes line ends as those that are there', async () => {
    const { cwd, pull } = await movedOn({ jira: JIRA }, { jira: JIRA, misp: MISP });
    const jira = join(cwd, 'integrations/jira.yaml');
    await writeFile(jira, (await readFile(jira, 'utf8')).replaceAll('\n', '\r\n'));
    expect(codes(await pull())).toEqual([]);
    const text = filesIn(cwd).get('integrations/misp.yaml') ?? '';
    expect(text.split('\r\n').length).toBeGreaterThan(10);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    const env = { ...ADMIN, SETPOINT_JIRA_API_KEY: SECRET };
    expect((await run(['plan', '--exit-code'], { cwd, env })).code).toBe(0);
  });
  test('puts new variables into a new file', async () => {
    const { cwd, pull } = await movedOn({ jira: JIRA }, { jira: JIRA, second: JIRA });
    const [report] = json<Document>(await pull()).servers;
    expect(report).toMatchObject({
      example: '.env.example-2',
      variables: [{ variable: 'SETPOINT_SECOND_API_KEY' }],
    });
    expect(filesIn(cwd).get('.env.example-2')).toContain('SETPOINT_SECOND_API_KEY=\n');
    expect(filesIn(cwd).get('.env.example-2')).not.toContain('JIRA');
    expect(filesIn(cwd).get('.env.example-2')).toContain('Add it to .env, ');
    expect(report?.next.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['(umask 077; cat ./.env.example-2 >> ./.env)', 'set -a; . ./.env; set +a']),
    );
  });
  test('takes no name of a file or an entry that is there', async () => {
    const cwd = await tempFolder({
      'integrations/jira.yaml': 'version: 1\n',
      'integrations/a.yaml': 'version: 1\nintegrations:\n  misp: { match: other_*, autosubscribe: true }\n',
    });
    const { pull } = await serverOf({ jira: JIRA, misp: MISP }, cwd);
    const [report] = json<Document>(await pull()).servers;
    expect(report?.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['integrations/jira-2.yaml', 'integrations/of-a-test.yaml']),
    );
    expect(filesIn(cwd).get('integrations/jira-2.yaml')).toContain('\n  jira:\n');
    expect(report?.notInstalled).toEqual([{ name: 'misp' }]);
  });
  test('keeps the entries and the secrets of two servers apart', async () => {
    const first = await serverOf({ jira: JIRA });
    await first.pull('--secrets-file', 's.env');
    const other = 'CANARY-of-another-key';
    const second = await serverOf({ jira: JIRA.replaceAll(SECRET, other) }, first.cwd);
    const pull = () => second.pull('--server', 'beta', '--secrets-file', 's.env');
    const [report] = json<Document>(await pull()).servers;
    expect(report?.files.map(({ path }) => path)).toContain('beta/jira.yaml');
    const line = `beta: { url: ${second.url}, config: [beta/] }`;
    expect(report?.next.map((step) => step.text)).toContain(line);
    const secrets = { SETPOINT_JIRA_API_KEY: SECRET, SETPOINT_BETA_JIRA_API_KEY: other };
    expect(loaded(join(first.cwd, 's.env'))).toEqual(secrets);
    const files = filesIn(first.cwd);
    const [again] = json<Document>(await pull()).servers;
    expect([again?.files, again?.next.map((step) => step.text)]).toEqual([
      [],
      expect.arrayContaining([line]),
    ]);
    expect([...filesIn(first.cwd)]).toEqual([...files]);
    await writeFile(join(first.cwd, 'setpoint.yaml'), `${files.get('setpoint.yaml')}  ${line}\n`);
    const env = { ...ADMIN, ...secrets };
    expect((await run(['plan', '--exit-code'], { cwd: first.cwd, env })).code).toBe(0);
  });
  test('finds what an earlier one wrote to --out, listed or not', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA, misp: MISP });
    await writeFile(
      join(cwd, 'setpoint.yaml'),
      'version: 1\nservers:\n  other: { url: https://x.example, config: [a.yaml] }\n',
    );
    await mkdir(join(cwd, '.git'));
    const [report] = json<Document>(await pull('--out', 'sub')).servers;
    expect(report?.files.map(({ path }) => path)).toContain('sub/main/jira.yaml');
    const files = filesIn(cwd);
    expect(json<Document>(await pull('--out', 'sub')).servers[0]).toMatchObject({ files: [], adopted: 0 });
    expect([...filesIn(cwd)]).toEqual([...files]);
  });
  test('writes the setpoint.yaml that an interrupted one did not', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    await pull('--single-file', 'all.yaml');
    const text = filesIn(cwd).get('setpoint.yaml');
    await rm(join(cwd, 'setpoint.yaml'));
    const [report] = json<Document>(await pull('--single-file', 'all.yaml')).servers;
    expect(report?.files).toEqual([{ path: 'setpoint.yaml' }]);
    expect(filesIn(cwd).get('setpoint.yaml')).toBe(text);
  });
  test('says which line a setpoint.yaml lacks', async () => {
    const text = 'version: 1\nservers:\n  other: { url: https://x.example, config: [a.yaml] }\n';
    const cwd = await tempFolder({ 'setpoint.yaml': text });
    const { pull, url } = await serverOf({ jira: JIRA }, cwd);
    const [report] = json<Document>(await pull()).servers;
    expect(report?.next.map((step) => step.text)).toEqual(
      expect.arrayContaining([`main: { url: ${url}, config: [main/] }`]),
    );
    expect(filesIn(cwd).get('setpoint.yaml')).toBe(text);
  });
});

test.each(['b.yaml/c.txt', 'setpoint.yaml', '.hidden.yaml'])(
  'a folder of entries has none yet where it has only %s',
  async (name) => {
    const cwd = await tempFolder({ [`integrations/${name}`]: 'version: 1\nservers: {}\n' });
    const { pull } = await serverOf({ jira: JIRA }, cwd);
    expect(codes(await pull())).toEqual([]);
    expect([...filesIn(cwd).keys()]).toContain('integrations/jira.yaml');
  },
);

describe('nothing is written', () => {
  test.each<[string, string[], number, string]>([
    ['where the login fails', [], 4, 'login-failed'],
    ['where --only means nothing', ['--only', 'none_*'], 3, 'only-matches-nothing'],
    ['where the catalog is missing', ['--catalog', 'none'], 3, 'file-unreadable'],
    ['where there are two names', ['--server', 'other'], 3, 'usage'],
    ['above the folder', ['--single-file', '../a.yaml'], 3, 'usage'],
    ['into git', ['--out', '.git/x'], 3, 'usage'],
    [
      'where a report would take the place of secrets',
      ['--secrets-file', 's', '--report', 'html=s'],
      3,
      'report-refused',
    ],
  ])('%s', async (title, flags, code, finding) => {
    const { cwd, url } = await serverOf({ jira: JIRA });
    const env = { ...ADMIN, ...(title.includes('login') ? { SETPOINT_PASSWORD: 'wrong' } : {}) };
    const result = await run(['pull', '--url', url, '--server', 'main', '--report', 'json', ...flags], {
      cwd,
      env,
    });
    expect([result.code, codes(result), [...filesIn(cwd)]]).toEqual([code, [finding], []]);
  });
  test('where the configuration that is there is broken', async () => {
    const cwd = await tempFolder({ 'integrations/a.yaml': 'version: 1\nintegration: {}\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, cwd);
    const result = await pull();
    expect([result.code, codes(result), exchanges]).toEqual([3, ['unknown-key'], []]);
    expect([...filesIn(cwd).keys()]).toEqual(['integrations/a.yaml']);
  });
  test('through a link', async () => {
    const outside = await tempFolder();
    const cwd = await tempFolder();
    await symlink(outside, join(cwd, 'schemas'));
    const { pull } = await serverOf({ jira: JIRA }, cwd);
    const result = await pull();
    expect([result.code, codes(result)]).toEqual([1, ['file-unwritten']]);
    expect([...filesIn(outside)]).toEqual([]);
  });
  test('half: what was written before is told, and the next run goes on', async () => {
    const cwd = await tempFolder({ integrations: 'version: 1\n' });
    const { pull } = await serverOf({ jira: JIRA, misp: MISP }, cwd);
    const result = await pull();
    expect([result.code, codes(result)]).toEqual([1, ['file-unwritten']]);
    const written = ['schemas/main.schema.json', '.env.example'];
    expect(json<Document>(result).servers[0]?.files.map(({ path }) => path)).toEqual(written);
    expect([...filesIn(cwd).keys()].sort()).toEqual([...written, 'integrations'].sort());
    await rm(join(cwd, 'integrations'));
    expect(json<Document>(await pull()).servers[0]?.files.map(({ path }) => path)).toEqual([
      'integrations/jira.yaml',
      'integrations/misp.yaml',
      'schemas/project.schema.json',
      'setpoint.yaml',
    ]);
  });
});

describe('the file of secrets', () => {
  test('holds what the server shows, for its owner alone, and is only added to', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    const result = await pull('--secrets-file', 's.env');
    expect([codes(result), json<Document>(result).servers[0]?.secrets]).toEqual([
      [],
      { path: 's.env', added: 1, stale: [] },
    ]);
    expect(filesIn(cwd).get('s.env')).toBe(`SETPOINT_JIRA_API_KEY=${SECRET}\n`);
    expect((await stat(join(cwd, 's.env'))).mode & 0o777).toBe(0o600);
    const own = '# mine\nexport SETPOINT_OTHER=1';
    await writeFile(join(cwd, 's.env'), own);
    await pull('--secrets-file', 's.env');
    expect(filesIn(cwd).get('s.env')).toBe(`${own}\nSETPOINT_JIRA_API_KEY=${SECRET}\n`);
    expect(loaded(join(cwd, 's.env'))).toEqual({ SETPOINT_OTHER: '1', SETPOINT_JIRA_API_KEY: SECRET });
  });
  test('is refused where git would take it, and taken where git ignores it', async () => {
    const { root } = await gitRepository({ '.gitignore': '*.env\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, root);
    const refused = await pull('--secrets-file', 'secrets.txt');
    expect([refused.code, codes(refused), exchanges]).toEqual([3, ['secrets-file-refused'], []]);
    const taken = await pull('--secrets-file', 'secrets.env');
    expect([taken.code, codes(taken)]).toEqual([0, []]);
    const tracked = await gitRepository({ 'a.env': 'SETPOINT_A=1\n' });
    await chmod(join(tracked.root, 'a.env'), 0o600);
    await writeFile(join(tracked.root, '.gitignore'), '*.env\n');
    const server = await serverOf({ jira: JIRA }, tracked.root);
    const inIndex = await server.pull('--secrets-file', 'a.env');
    expect([codes(inIndex), hint(refused), hint(inIndex)]).toEqual([
      ['secrets-file-refused'],
      expect.stringContaining('.gitignore'),
      expect.stringContaining('git rm --cached'),
    ]);
  });
  test('tells which secrets the server has another text of, and writes none of them', async () => {
    const first = await serverOf({ jira: JIRA });
    await first.pull('--secrets-file', 's.env');
    const other = 'CANARY-of-a-rotated-key';
    const second = await serverOf({ jira: JIRA.replaceAll(SECRET, other) }, first.cwd);
    const project = join(first.cwd, 'setpoint.yaml');
    await writeFile(project, (await readFile(project, 'utf8')).replace(first.url, second.url));
    const files = filesIn(first.cwd);
    const result = await second.pull('--secrets-file', 's.env');
    expect(json<Document>(result).servers[0]).toMatchObject({
      secrets: { path: 's.env', added: 0, stale: ['SETPOINT_JIRA_API_KEY'] },
      next: [{ text: expect.stringContaining('take this one out of s.env and pull again') }],
    });
    expect([...filesIn(first.cwd)]).toEqual([...files]);
    expect(result.screen).not.toContain('CANARY');
    await writeFile(join(first.cwd, 's.env'), '');
    await second.pull('--secrets-file', 's.env');
    expect(loaded(join(first.cwd, 's.env'))).toEqual({ SETPOINT_JIRA_API_KEY: other });
  });
  test('is made by the commands that come next, where the server shows no secret', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA }, undefined, { settings: { passwords: 'masked' } });
    const [report] = json<Document>(await pull('--secrets-file', 's.env')).servers;
    const commands = report?.next.flatMap(({ text, isCommand }) => (isCommand ? [text] : [])) ?? [];
    await promisify(execFile)('sh', ['-ec', commands.slice(0, 2).join('\n')], { cwd });
    expect(loaded(join(cwd, 's.env'))).toEqual({ SETPOINT_JIRA_API_KEY: '' });
    expect((await stat(join(cwd, 's.env'))).mode & 0o777).toBe(0o600);
  });
  test('fills in what the commands of an earlier pull left empty', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    const [report] = json<Document>(await pull()).servers;
    const copy = report?.next.find(({ isCommand }) => isCommand)?.text ?? '';
    await promisify(execFile)('sh', ['-c', copy], { cwd });
    expect(filesIn(cwd).get('.env')).toContain('SETPOINT_JIRA_API_KEY=\n');
    const [filled] = json<Document>(await pull('--secrets-file', '.env')).servers;
    expect(filled?.secrets).toEqual({ path: '.env', added: 1, stale: [] });
    expect(loaded(join(cwd, '.env'))).toEqual({ SETPOINT_JIRA_API_KEY: SECRET });
    const files = filesIn(cwd);
    await pull('--secrets-file', '.env');
    expect([...filesIn(cwd)]).toEqual([...files]);
  });
  test.each([
    '.env.example',
    '.env.example-2',
    'schemas',
    'schemas/main.schema.json',
    'integrations',
    'conf',
  ])('is not what the pull itself writes: %s', async (name) => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    await mkdir(join(cwd, 'conf/schemas'), { recursive: true });
    const path = name === 'conf' ? 'conf' : `conf/${name}`;
    const result = await pull('--out', 'conf', '--secrets-file', path);
    expect([result.code, codes(result), exchanges]).toEqual([3, ['secrets-file-refused'], []]);
    expect(result.screen).toContain('the pull itself writes it');
  });
  test('goes into the folder that the pull makes, and into no other that is not there', async () => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    const refused = await pull('--out', 'conf/main', '--secrets-file', 'other/.env');
    expect([codes(refused), hint(refused), exchanges]).toEqual([
      ['secrets-file-refused'],
      expect.stringContaining('in a folder that is there'),
      [],
    ]);
    const example = await pull('--out', 'conf/main', '--secrets-file', 'conf/main/.env.example');
    expect(codes(example)).toEqual(['secrets-file-refused']);
    expect(codes(await pull('--out', 'conf/main', '--secrets-file', 'conf/main/.env'))).toEqual([]);
    expect(loaded(join(cwd, 'conf/main/.env'))).toEqual({ SETPOINT_JIRA_API_KEY: SECRET });
  });
  test.each<[string, (path: string) => Promise<void>, string]>([
    ['a link', (path) => symlink('/tmp/elsewhere', path), 'a regular file'],
    ['a folder', (path) => mkdir(path).then(() => {}), 'a regular file'],
    ['a file that others may read', (path) => writeFile(path, '', { mode: 0o644 }), 'chmod 600'],
  ])('is no %s', async (_, make, remedy) => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    await make(join(cwd, 's.env'));
    const result = await pull('--secrets-file', 's.env');
    expect([result.code, codes(result), exchanges]).toEqual([3, ['secrets-file-refused'], []]);
    expect(hint(result)).toContain(remedy);
  });
});

test('a pull that is interrupted begins no file, least of all that of secrets', async () => {
  const stop: { signal?: (name: Signal) => void } = {};
  const catalog = await tempFolder({ 'jira.json': JIRA });
  const { url } = await liveSandbox({
    catalog,
    onExchange: ({ path }) => path.endsWith('/logout') && stop.signal?.('SIGINT'),
  });
  const cwd = await tempFolder();
  const { code, stderr } = await run(['pull', '--url', url, '--secrets-file', 's.env'], {
    cwd,
    onStart: (signal) => {
      stop.signal = signal;
    },
  });
  expect([code, [...filesIn(cwd).keys()]]).toEqual([130, []]);
  expect(stderr).toContain('interrupted');
});

test('a pull that could not write tells a person what it did write', async () => {
  const cwd = await tempFolder({ 'conf/schemas': '' });
  const { url } = await serverOf({ jira: JIRA, misp: MISP });
  const flags = ['pull', '--url', url, '--out', 'conf', '--secrets-file', 's.env'];
  const { stdout, stderr, code } = await run(flags, { cwd });
  expect([code, stdout]).toEqual([
    1,
    'Pulled nothing of server. 2 integrations are not written.\n\nWrote 1 secret to s.env.\n',
  ]);
  expect(stderr).toContain('1 file before it is whole.');
});

test('commands quote what a shell would take apart', async () => {
  const { cwd, url } = await serverOf({ jira: JIRA });
  const { stdout } = await run(['pull', '--url', url, '--out', "q;touch PWN it's"], { cwd });
  const commands = stdout.split('\n').filter((line) => /^ {2}(\(umask|set|cd) /.test(line));
  expect(commands).toHaveLength(3);
  const shell = await promisify(execFile)('sh', ['-c', `${commands.join('\n')}\npwd`], { cwd });
  expect(shell.stdout.trim()).toMatch(/\/q;touch PWN it's$/);
  expect([...filesIn(cwd).keys()].filter((path) => path.startsWith('PWN'))).toEqual([]);
  expect(filesIn(cwd).get("q;touch PWN it's/.env")).toContain('SETPOINT_JIRA_API_KEY=\n');
});

test('a pull tells a person what was written, what is needed and what comes next', async () => {
  const { cwd, url } = await serverOf({ jira: JIRA, misp: MISP });
  const { stdout, stderr } = await run(['pull', '--url', url, '--out', 'conf'], { cwd });
  expect(stderr).toBe('');
  expect(stdout).toBe(`Pulled 2 integrations of server into conf/integrations/ (6 new files).

The new entries need 1 secret, listed in conf/.env.example.

Next:
Add conf/.env.example to conf/.env, which git must ignore, fill it in (or let
--secrets-file write what the server shows), and load it:
  (umask 077; cat conf/.env.example >> conf/.env)
  set -a; . conf/.env; set +a
  cd conf
  setpoint plan
`);
});
