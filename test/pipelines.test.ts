import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FORMATS } from '../src/core/report/formats.ts';
import { notesApi } from './support/comments-api.ts';
import { ACTION } from './support/composite-action.ts';
import { gitRepository } from './support/git-repository.ts';
import { run } from './support/run.ts';
import { tempFolder } from './support/temp.ts';
import {
  type Job,
  parseWorkflow,
  workflowProblems,
} from './support/workflow.ts';
import { workflowParser } from './support/workflow-parser.ts';

const EXAMPLES = readdirSync('examples/ci/github').map(
  (name) => `examples/ci/github/${name}`,
);
const OURS = readdirSync('.github/workflows').map(
  (name) => `.github/workflows/${name}`,
);
const read = (path: string) => readFileSync(path, 'utf8');
const start = promisify(execFile);

/** How GitLab's example calls the script that comments. */
const COMMENT = 'node .gitlab/comment.mjs diff.md plan.md';
/** Lines of GitLab's example that are no command of setpoint. */
const OTHERS = [/^node \.gitlab\/comment\.mjs /, /^test -s /, /^if grep /];

interface GitLabJob {
  readonly script: readonly string[];
  readonly rules: readonly object[];
  readonly environment?: { readonly name: string };
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The jobs of GitLab's example, by name. */
const gitLabJobs: Readonly<Record<string, GitLabJob>> = Object.fromEntries(
  Object.entries(parse(read('examples/ci/gitlab-ci.yml'))).filter(
    (entry): entry is [string, GitLabJob] => 'script' in (entry[1] as object),
  ),
);

/** The jobs of GitHub's examples, as `review.plan`. */
const jobs: Readonly<Record<string, Job>> = Object.fromEntries(
  EXAMPLES.flatMap((path) =>
    Object.entries(parseWorkflow(read(path)).jobs).map(([name, job]) => [
      `${path.replace(/.*\/|\.yml/g, '')}.${name}`,
      job,
    ]),
  ),
);

/** How the examples use the action. */
const uses = Object.entries(jobs).flatMap(([name, { steps = [] }]) =>
  steps.flatMap((step) =>
    step.uses?.startsWith('example/setpoint@')
      ? [{ name, inputs: step.with ?? {}, env: step.env ?? {} }]
      : [],
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
  test.each(EXAMPLES)(
    '%s gives nothing by default, and runs once at a time',
    (path) => {
      const { permissions, concurrency } = parseWorkflow(read(path));
      expect([permissions, concurrency?.group]).toEqual([
        {},
        expect.stringMatching(/^setpoint-/),
      ]);
    },
  );
  test('write nothing but comments and an issue, and never tear an apply', () => {
    const written = Object.entries(jobs).flatMap(
      ([name, { permissions = {} }]) =>
        Object.entries(permissions).flatMap(([what, how]) =>
          how === 'read' ? [] : [`${name} ${what}`],
        ),
    );
    expect(written).toEqual([
      'drift.drift issues',
      'review.diff pull-requests',
      'review.plan pull-requests',
    ]);
    expect(
      parseWorkflow(read('examples/ci/github/apply.yml')).concurrency?.[
        'cancel-in-progress'
      ],
    ).toBe(false);
    const gitlab = parse(read('examples/ci/gitlab-ci.yml'));
    expect(gitlab['.apply'].resource_group).toBe('setpoint-apply');
  });
  test('let a person name the commit to plan an apply from', () => {
    const { on } = parseWorkflow(read('examples/ci/github/apply.yml'));
    expect(on).toMatchObject({
      workflow_dispatch: { inputs: { base: { required: true } } },
    });
  });
  test('plan in a clone that has the base, and apply in one of a single commit', () => {
    const depths = ['apply.plan', 'apply.staging'].map((name) => {
      const checkout = jobs[name]?.steps?.find(({ uses: action }) =>
        action?.startsWith('actions/checkout@'),
      );
      return checkout?.with?.['fetch-depth'];
    });
    expect(depths).toEqual([0, undefined]);
    expect(
      Object.values(gitLabJobs).filter(
        ({ variables = {} }) => 'GIT_DEPTH' in variables,
      ),
    ).toEqual([]);
  });
  test('give each job the secrets that the table says, and no other', () => {
    const columns = [
      'review.diff',
      'review.plan',
      'drift.drift',
      'apply.plan',
      'apply.staging',
      'apply.production',
    ];
    const [, needed = ''] = read('examples/ci/README.md').split(
      '## Which job needs which secret',
    );
    const rows = [...needed.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
      row.split(/ *\| */),
    );
    const table = rows.filter(([name]) => name?.includes('SETPOINT_'));
    const [environments = []] = rows.filter(([name]) =>
      name?.includes('environment'),
    );
    expect([table.length, environments.length]).toEqual([
      3,
      columns.length + 1,
    ]);
    const kinds = [/_TOKEN/, /LOOKUP_KEY/];
    const promised = columns.map((_, at) =>
      kinds.map((kind) =>
        table.some(
          ([name = '', ...cells]) => kind.test(name) && cells[at] === 'yes',
        ),
      ),
    );
    expect(columns.map((job) => `\`${jobs[job]?.environment}\``)).toEqual(
      environments
        .slice(1)
        .map((name) => (name === 'none' ? '`undefined`' : name)),
    );
    const given = (job: string) => {
      const values = Object.values(
        uses.find(({ name }) => name === job)?.env ?? {},
      );
      const secrets = values.filter((value) => value.includes('secrets.'));
      return kinds.map((kind) => secrets.some((value) => kind.test(value)));
    };
    expect(columns.map(given)).toEqual(promised);
    const logins = uses
      .map(({ env }) => env)
      .filter((env) => Object.keys(env).length > 0);
    expect(
      logins.filter((env) => !('SETPOINT_ALLOWED_ORIGINS' in env)),
    ).toEqual([]);
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
    const { command, arguments: more = '', strict, base } = inputs;
    const flags = [
      ...(strict === undefined ? [] : ['--strict']),
      ...(base === undefined || command === 'diff' ? [] : [`--base=${base}`]),
      ...String(more)
        .split('\n')
        .filter((line) => line !== ''),
    ];
    expect(await unknownIn(['setpoint', command, ...flags].join(' '))).toEqual(
      [],
    );
  });
  test('of GitLab are known', async () => {
    const lines = Object.values(gitLabJobs)
      .flatMap(({ script }) => script)
      .filter((line) => !OTHERS.some((other) => other.test(line)));
    const unknown = await Promise.all(lines.map(unknownIn));
    expect([lines.length, unknown.flat()]).toEqual([6, []]);
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
  test('reviews without a secret, and applies by hand alone', () => {
    const gitlab = parse(read('examples/ci/gitlab-ci.yml'));
    expect(gitlab['.apply'].rules).toEqual([
      expect.objectContaining({ when: 'manual' }),
    ]);
    const { staging, production, ...others } = gitLabJobs;
    expect([staging?.extends, production?.extends]).toEqual([
      '.apply',
      '.apply',
    ]);
    const names = Object.entries(others).map(([job, { environment }]) => [
      job,
      environment?.name,
    ]);
    expect(Object.fromEntries(names)).toEqual({
      diff: undefined,
      'plan-review': 'setpoint-review',
      comment: 'setpoint-comment',
      plan: 'setpoint-plan',
      drift: 'setpoint-plan',
      'drift-issue': 'setpoint-comment',
    });
  });
  test('gets one comment for each report, however often it is reviewed', async () => {
    const api = await notesApi([
      [1, '<!-- setpoint plan -->\nmine'],
      [2, 'see <!-- setpoint plan -->'],
    ]);
    for (const run of [1, 2, 3]) {
      const cwd = await tempFolder({
        'diff.md': `<!-- setpoint diff -->\ndiff ${run} $&`,
        // A run that failed early.
        'plan.md': `<!-- setpoint ${run < 3 ? 'plan' : 'none'} -->\nplan ${run}`,
      });
      await comment(cwd, {
        CI_API_V4_URL: api.url,
        SETPOINT_COMMENT_TOKEN: 't-1',
      });
    }
    expect(api.notes.slice(2).map(({ body }) => body)).toEqual([
      '<!-- setpoint diff -->\ndiff 3 $&',
      '<!-- setpoint plan -->\nplan 3',
    ]);
    expect(new Set(api.tokens)).toEqual(new Set(['t-1']));
  });
});

test('in GitLab a report with nothing to read is no new comment, and updates the one that there is', async () => {
  const api = await notesApi([]);
  const settings = { CI_API_V4_URL: api.url, SETPOINT_COMMENT_TOKEN: 't-1' };
  const bodies: unknown[] = [];
  for (const changes of [0, 1, 0]) {
    const servers = [{ summary: { changes } }];
    const cwd = await tempFolder({
      'plan.md': `<!-- setpoint plan -->\n${changes} changes`,
      'plan.json': JSON.stringify({ servers, diagnostics: [] }),
    });
    await comment(cwd, settings);
    bodies.push(api.notes.map(({ body }) => body.split('\n')[1]));
  }
  expect(bodies).toEqual([[], ['1 changes'], ['0 changes']]);
  const servers = [{ summary: { changes: 0 } }];
  for (const more of [
    { diagnostics: [{ severity: 'warning' }] },
    { diagnostics: [{ code: 'loosened', severity: 'warning' }] },
  ]) {
    const other = await notesApi([]);
    const cwd = await tempFolder({
      'plan.md': '<!-- setpoint plan -->\n',
      'plan.json': JSON.stringify({ servers, ...more }),
    });
    await comment(cwd, { ...settings, CI_API_V4_URL: other.url });
    expect(other.notes).toHaveLength(1);
  }
});

/** Runs the script that comments, as its job does in a folder with reports. */
function comment(cwd: string, env: Readonly<Record<string, string>>) {
  const [, , ...reports] = COMMENT.split(' ');
  const variables = { ...env, CI_PROJECT_ID: '5', CI_MERGE_REQUEST_IID: '7' };
  return start(
    process.execPath,
    [resolve('examples/ci/gitlab-comment.mjs'), ...reports],
    {
      cwd,
      env: variables,
    },
  );
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
  test.each(['examples/ci/README.md', 'examples/fleet/README.md'])(
    '%s: bash can read them',
    async (path) => {
      const blocks = blocksOf(path);
      expect(blocks.length).toBeGreaterThan(5);
      for (const block of blocks) await start('bash', ['-n', '-c', block]);
    },
  );

  /** Adapts the files as a reader does, and returns their texts. */
  async function adapted(clone: string): Promise<string[]> {
    const [block = ''] = blocksOf('examples/ci/README.md');
    const own = block
      .replace('clone=../setpoint', `clone=${clone}`)
      .replace('OWNER/REPOSITORY', 'own/setpoint')
      // Names that hold those of the example.
      .replace('first=staging', 'first=pre-production')
      .replace('second=production', 'second=staging-us');
    const paths = [...EXAMPLES, 'examples/ci/gitlab-ci.yml'];
    const files = paths.map((path, at) => [`${at}.yml`, read(path)]);
    const cwd = await tempFolder(Object.fromEntries(files));
    const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
    const script = `${own}\nadapt *.yml`;
    await start('bash', ['-c', script], { cwd, env }).catch(() => undefined);
    expect(readdirSync(cwd)).toEqual(files.map(([name]) => name));
    return files.map(([name = '']) => read(join(cwd, name)));
  }

  test('pin the commit of the clone, and name the servers', async () => {
    const { root, git } = await gitRepository();
    const [apply = '', drift = '', review = '', gitlab = ''] =
      await adapted(root);
    const pin = `own/setpoint@${git('rev-parse', 'HEAD').trim()}`;
    const pins = [apply, drift, review].map(
      (text) => text.match(/uses: \S+setpoint@\S+/g) ?? [],
    );
    expect(pins.map(({ length }) => length)).toEqual([3, 1, 2]);
    expect(new Set(pins.flat())).toEqual(new Set([`uses: ${pin}`]));
    expect(Object.keys(parseWorkflow(apply).jobs)).toEqual([
      'plan',
      'pre-production',
      'staging-us',
    ]);
    expect(drift).toContain('secrets.SETPOINT_SERVER_PRE_PRODUCTION_TOKEN');
    expect(drift).toContain('secrets.SETPOINT_SERVER_STAGING_US_TOKEN');
    expect(parse(gitlab)['staging-us'].needs).toEqual([
      'plan',
      'pre-production',
    ]);
    const problems = await workflowParser();
    expect(await problems(apply)).toEqual([]);
  });

  test('write nothing if the clone has no commit', async () => {
    const [apply = ''] = await adapted(await tempFolder());
    expect(apply).toBe(read('examples/ci/github/apply.yml'));
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
