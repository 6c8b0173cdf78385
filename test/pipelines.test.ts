import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FORMATS } from '../src/core/report/formats.ts';
import { notesApi } from './support/comments-api.ts';
import { ACTION } from './support/composite-action.ts';
import { gitRepository } from './support/git-repository.ts';
import { run } from './support/run.ts';
import { type GitLabJob, inPipeline } from './support/runner.ts';
import { tempFolder } from './support/temp.ts';
import {
  parseWorkflow,
  workflowParser,
  workflowProblems,
} from './support/workflow.ts';

const EXAMPLES = ['examples/ci/github.yml', 'examples/ci/one-server.yml'];
const [GITHUB = ''] = EXAMPLES;
const OURS = readdirSync('.github/workflows').map(
  (name) => `.github/workflows/${name}`,
);
const README = 'examples/ci/README.md';
const read = (path: string) => readFileSync(path, 'utf8');
const start = promisify(execFile);

const gitlab = parse(read('examples/ci/gitlab-ci.yml'));

/** The jobs of GitLab's example that have a script, by name. */
const gitLabJobs = Object.entries<GitLabJob>(gitlab).filter(
  ([, job]) => 'script' in job,
);

const { jobs } = parseWorkflow(read(GITHUB));

/** How the examples use the action. */
const uses = EXAMPLES.flatMap((path) =>
  Object.entries(parseWorkflow(read(path)).jobs).flatMap(
    ([name, { steps = [] }]) =>
      steps.flatMap((step) =>
        step.uses?.startsWith('example/setpoint@')
          ? [{ name: `${name} of ${path}`, inputs: step.with ?? {} }]
          : [],
      ),
  ),
);

describe.each([...EXAMPLES, ...OURS, 'action.yml'])('%s', (path) => {
  test('asks for little, is pinned, and lets no foreign text into a shell', () => {
    expect(workflowProblems(read(path))).toEqual([]);
  });
});

test("the workflows have the form that GitHub's own parser takes", async () => {
  const problems = await workflowParser();
  for (const path of [...EXAMPLES, ...OURS])
    expect([path, await problems(read(path))]).toEqual([path, []]);
});

test('the file of GitLab has the form that is published', () => {
  const schema = parse(read('test/fixtures/gitlab-ci.schema.yaml'));
  const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
  expect([isValid(gitlab), isValid.errors]).toEqual([true, null]);
});

test('a workflow that is open to strangers is noticed', () => {
  const open = `
on: [push, pull_request_target]
jobs:
  one:
    permissions: { contents: write-all }
    env: { A: "\${{ secrets.A }}" }
    steps:
      - uses: actions/checkout@v5
      - uses: a/b@0123456789012345678901234567890123456789
      - run: echo "\${{ github.head_ref }}"
`;
  expect(workflowProblems(open)).toEqual([
    'trigger pull_request_target',
    'permissions of the workflow',
    'unpinned actions/checkout@v5',
    'unpinned a/b@0123456789012345678901234567890123456789',
    'permissions of one',
    'timeout of one',
    'secret without an environment in one',
    'secret for all steps of one',
    'token left in the checkout of one',
    'expression in a shell of one',
  ]);
});

describe('the examples', () => {
  test('write comments, an issue and what was applied, and never tear an apply', () => {
    for (const path of EXAMPLES) {
      const { permissions, jobs: all } = parseWorkflow(read(path));
      expect(permissions).toEqual({});
      const written = Object.entries(all).flatMap(([name, job]) =>
        Object.entries(job.permissions ?? {}).flatMap(([what, how]) =>
          how === 'read' ? [] : [`${name} ${what}`],
        ),
      );
      // What moves applied/NAME.
      const [first, last] =
        path === GITHUB ? ['apply', 'live'] : ['plan', 'apply'];
      expect(written.sort()).toEqual(
        [
          ...['review pull-requests', 'plan issues'],
          ...[`${first} contents`, `${last} contents`],
        ].sort(),
      );
      expect(all['apply']?.concurrency).toMatchObject({
        group: expect.stringMatching(/^setpoint-/),
        'cancel-in-progress': false,
      });
    }
    expect(gitlab['.apply'].resource_group).toBe('setpoint-$SERVER');
  });

  test('give each job the secrets that the table says, and no other', () => {
    const [, table = ''] = read(README).split(
      '## Which job needs which secret',
    );
    const rows = [...table.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
      row.split(/ *\| */),
    );
    const columns = ['review', 'plan', 'live', 'apply'];
    const cell = (start: RegExp, at: number) =>
      rows.find(([name = '']) => start.test(name))?.[at] ?? '';
    for (const [index, job] of columns.entries()) {
      const at = [1, 2, 2, 3][index] ?? 0;
      const { environment = 'none', ...own } = jobs[job] ?? {};
      const secrets = [
        ...JSON.stringify(own).matchAll(/secrets\.(SETPOINT_\w+)/g),
      ].map(([, name]) => name);
      const kinds = [/_SERVER_/, /^SETPOINT_TOKEN$/, /LOOKUP_KEY/].map(
        (kind) => (secrets.some((name) => kind.test(`${name}`)) ? 'yes' : ''),
      );
      const promised = [/_SERVER_/, /`SETPOINT_TOKEN`/, /LOOKUP_KEY/].map(
        (kind) => cell(kind, at),
      );
      expect([job, kinds]).toEqual([job, promised]);
      const named = environment.replace('${{ matrix.server }}', 'staging');
      expect(cell(/environment/, at).replaceAll('`', '')).toBe(named);
    }
    const environments = gitLabJobs.map(([name, { environment }]) => {
      return [name, environment?.name];
    });
    expect(Object.fromEntries(environments)).toEqual({
      review: undefined,
      comment: 'setpoint-comment',
      plan: 'setpoint',
      servers: undefined,
      '.apply': 'setpoint-$SERVER',
      night: 'setpoint',
      issue: 'setpoint-comment',
      live: 'setpoint',
    });
  });
});

/** The flags and words of a command line, checked against what the command knows. */
async function unknownIn(line: string): Promise<string[]> {
  const [program, command = '', ...words] = line.split(' ');
  const help = await run([command, '--help'], { env: {} });
  if (
    program !== 'setpoint' ||
    !help.stdout.startsWith(`Usage: setpoint ${command} `)
  )
    return [line];
  const flags = words.flatMap((word) => /^--[a-z-]+/.exec(word) ?? []);
  const reports = [...line.matchAll(/--report[ =](\w+)/g)].map(
    ([, format]) => format,
  );
  return [
    ...flags.filter(
      (flag) => !new RegExp(`^ +(-\\w, )?${flag} `, 'm').test(help.stdout),
    ),
    ...reports.filter((report) => !FORMATS.some((format) => format === report)),
  ].map(String);
}

describe('commands and flags', () => {
  test.each(uses)('of $name are known', async ({ inputs }) => {
    expect(
      Object.keys(inputs).filter((name) => !Object.hasOwn(ACTION.inputs, name)),
    ).toEqual([]);
    const { command = 'plan', arguments: more = '' } = inputs;
    const flags = `${more}`.match(/--[a-z-]+/g) ?? [];
    const named = `${command}`.startsWith('$') ? 'plan' : command;
    expect(await unknownIn(['setpoint', named, ...flags].join(' '))).toEqual(
      [],
    );
  });
  test('of GitLab are known', async () => {
    const lines = gitLabJobs
      .flatMap(([, { script = [] }]) => script)
      .filter((line) => /^setpoint [a-z]/.test(line))
      .map((line) => line.replace(/\$\{.*?\} /, ''));
    const unknown = await Promise.all(lines.map(unknownIn));
    expect([lines.length, unknown.flat()]).toEqual([4, []]);
  });
  test('that are not there are noticed', async () => {
    expect(await unknownIn('setpoint diff --yes --report xml=a')).toEqual([
      '--yes',
      'xml',
    ]);
    expect(await unknownIn('setpoint fix')).toEqual(['setpoint fix']);
  });
});

describe('GitLab', () => {
  const REQUEST = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_PROJECT_ID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'abc',
  };
  test('has a base in each kind of pipeline of a merge request', () => {
    const baseOf = (more: Readonly<Record<string, string>>) =>
      inPipeline('review', { ...REQUEST, ...more })?.['BASE'];
    const kind = 'CI_MERGE_REQUEST_EVENT_TYPE';
    expect(baseOf({ [kind]: 'detached' })).toBe('origin/main');
    expect(baseOf({ [kind]: 'merged_result' })).toBe('HEAD^1');
    expect(baseOf({ [kind]: 'merge_train' })).toBe('HEAD^1');
    const fork = { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '9' };
    expect(baseOf(fork)).toBe('abc');
    expect(inPipeline('comment', { ...REQUEST, ...fork })).toBeUndefined();
    expect(baseOf({ CI_PIPELINE_SOURCE: 'push' })).toBeUndefined();
  });
  test('applies by hand alone, and not at night', () => {
    const main = { CI_COMMIT_BRANCH: 'main' };
    const child = { ...main, CI_PIPELINE_SOURCE: 'parent_pipeline' };
    expect(inPipeline('.apply', child)?.['when']).toBe('manual');
    const night = { ...main, CI_PIPELINE_SOURCE: 'schedule' };
    for (const job of ['plan', 'servers', 'apply']) {
      expect(inPipeline(job, { ...main, CI_PIPELINE_SOURCE: 'push' })).toEqual(
        expect.objectContaining({ when: 'on_success' }),
      );
      expect(inPipeline(job, night)).toBeUndefined();
      expect(inPipeline(job, child)).toBeUndefined();
    }
  });
  test('has one comment, which is made if there is something to read, and updated from then on', async () => {
    const others: [number, string][] = [
      [1, '<!-- setpoint review -->\nmine'],
      [2, 'see <!-- setpoint review -->'],
    ];
    const api = await notesApi(others);
    const review = async (text: string, changes: number, severity = 'note') => {
      const servers = [{ summary: { changes } }];
      const diagnostics = [{ severity }];
      const cwd = await tempFolder({
        'review.md': text,
        'review.json': JSON.stringify({ servers, diagnostics }),
      });
      await comment(cwd, api.url);
      return api.notes.slice(others.length).map(({ body }) => body);
    };
    const marked = (text: string) => `<!-- setpoint review -->\n${text}`;
    expect(await review(marked('0'), 0)).toEqual([]);
    expect(await review(marked('1'), 0, 'warning')).toEqual([marked('1')]);
    // A run that failed early has no marker of its own.
    const failed = '<!-- setpoint none -->\nfailed $&';
    expect(await review(failed, 0, 'error')).toEqual([marked('failed $&')]);
    expect(await review(marked('2'), 2)).toEqual([marked('2')]);
    expect(await review(marked('0'), 0)).toEqual([marked('0')]);
    expect(new Set(api.tokens)).toEqual(new Set(['t-1']));
  });
});

/** Runs the script that comments, as its job does in a folder with reports. */
function comment(cwd: string, url: string) {
  const script = resolve('action/keep.mjs');
  const api = { CI_API_V4_URL: url, SETPOINT_COMMENT_TOKEN: 't-1' };
  const env = { ...api, CI_PROJECT_ID: '5', CI_MERGE_REQUEST_IID: '7' };
  return start(process.execPath, [script, 'review.md'], { cwd, env });
}

/** The commands of a checklist, a block each. */
function blocksOf(path: string): string[] {
  const blocks: string[] = [];
  for (const [, , block = ''] of read(path).matchAll(
    /^( *)```sh\n([\s\S]*?)^\1```$/gm,
  ))
    blocks.push(block);
  return blocks;
}

describe('the commands of the checklists', () => {
  test.each([README, 'examples/fleet/README.md'])(
    '%s: bash can read them',
    async (path) => {
      const blocks = blocksOf(path);
      expect(blocks.length).toBeGreaterThan(5);
      for (const block of blocks) await start('bash', ['-n', '-c', block]);
    },
  );

  /** Adapts the workflow as a reader does, and returns its text. */
  async function adapted(clone: string): Promise<string> {
    const [block = ''] = blocksOf(README);
    const own = block
      .replace('clone=../setpoint', `clone=${clone}`)
      .replace('OWNER/REPOSITORY', 'own/setpoint')
      // Names that hold those of the example.
      .replace('first=staging', 'first=pre-production')
      .replace('second=production', 'second=staging-us');
    const cwd = await tempFolder({ 'a.yml': read(GITHUB) });
    const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
    const script = `${own}\nadapt *.yml`;
    await start('bash', ['-c', script], { cwd, env }).catch(() => undefined);
    expect(readdirSync(cwd)).toEqual(['a.yml']);
    return read(join(cwd, 'a.yml'));
  }

  test('pin the commit of the clone, and name the servers', async () => {
    const { root, git } = await gitRepository();
    const github = await adapted(root);
    const pin = `own/setpoint@${git('rev-parse', 'HEAD').trim()}`;
    const pins = github.match(/uses: \S+setpoint@\S+/g) ?? [];
    expect(pins.length).toBe(4);
    expect(new Set(pins)).toEqual(new Set([`uses: ${pin}`]));
    expect(github).toContain('secrets.SETPOINT_SERVER_PRE_PRODUCTION_TOKEN');
    expect(github).toContain('secrets.SETPOINT_SERVER_STAGING_US_TOKEN');
    const problems = await workflowParser();
    expect(await problems(github)).toEqual([]);
  });

  test('write nothing if the clone has no commit', async () => {
    const github = await adapted(await tempFolder());
    expect(github).toBe(read(GITHUB));
  });
});

/** All that users run or copy, and what builds it. */
const SHOWN = [
  'README.md',
  'CONTRIBUTING.md',
  'action.yml',
  'package.json',
  '.pre-commit-hooks.yaml',
  ...filesIn('.ci', '.github', 'action', 'docs', 'examples', 'scripts'),
];

function filesIn(...folders: readonly string[]): string[] {
  const paths: string[] = [];
  for (const folder of folders) {
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of readdirSync(folder, options)) {
      if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
    }
  }
  return paths;
}

/** The lines that get a package or an image by the bare name of setpoint, which belongs to whoever takes it. */
function bareNames(text: string): string[] {
  const end = /(?=[@:\s"'`;]|$)/.source;
  const tools = /\b(?:npm|npx|pnpm|yarn|bunx?|docker run|FROM)\s/.source;
  const bare = new RegExp(`${tools}(?:.*[\\s"'\`])?setpoint${end}`);
  return text.split('\n').filter((line) => bare.test(line));
}

describe('no registry is asked for setpoint by its bare name', () => {
  test.each(SHOWN)('in %s', (path) => {
    expect(bareNames(read(path))).toEqual([]);
  });
  test('and a line that asks is noticed', () => {
    const asking = [
      'npm install --global setpoint',
      'npm install "setpoint@$version"',
      'npx setpoint plan',
      '- run: npx --yes setpoint@0.1.0 plan',
      '#   npm pack setpoint@0.1.0',
      'entry: npx setpoint validate',
      'FROM setpoint:0.1.0',
      'docker run --rm setpoint plan',
    ];
    const others = [
      'npm install --global ./setpoint-0.1.0.tgz',
      'npm ci && setpoint-plan',
    ];
    expect(bareNames([...asking, ...others].join('\n'))).toEqual(asking);
  });
});

test('the hook of pre-commit checks a repository', async () => {
  const [hook] = parse(read('.pre-commit-hooks.yaml'));
  expect(hook).toMatchObject({
    id: 'setpoint-validate',
    language: 'system',
    pass_filenames: false,
  });
  const [program, ...args] = hook.entry.split(' ');
  expect(Object.keys(JSON.parse(read('package.json')).bin)).toEqual([program]);
  const check = async (cwd: string, ...more: string[]) =>
    (await run([...args, ...more], { cwd, env: {} })).code;
  expect(await check('examples/team')).toBe(0);
  const broken = await tempFolder({
    'a.yaml': 'version: 1\nintegrations: { a: { options: { b: 0123 } } }\n',
  });
  expect(await check(broken, 'a.yaml')).toBe(3);
});
