import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';
import { outputsIn, runAction } from './composite-action.ts';
import { FORGE, type Team, type Values } from './team.ts';
import { tempFolder, writePrograms } from './temp.ts';
import { type Job, parseWorkflow, type Step } from './workflow.ts';

/** How the jobs of a pipeline ended: exit codes by their names, as `apply staging`; none for one that did not run. */
export type Ended = Readonly<Record<string, number>>;

/** What a pipeline runs for. */
interface Occasion {
  readonly event: 'pull_request' | 'push' | 'schedule' | 'workflow_dispatch';
  /** What is checked out; without it the main branch. */
  readonly branch?: string;
  readonly commit?: string;
  /** What a person types for a run. */
  readonly inputs?: Values;
  /** Variables of the project. */
  readonly vars?: Values;
  /** Environments whose jobs nobody approves or starts. */
  readonly withheld?: readonly string[];
  /** The address of the service's API. */
  readonly api?: string;
  /** A fork has no comment and no snapshot of its own. */
  readonly isFork?: boolean;
}

/** A service that runs the pipelines of a team, and keeps their artifacts from run to run. */
export interface Service {
  readonly run: (occasion: Occasion) => Promise<Ended>;
  /** The folder of an artifact of the last run that has it. */
  readonly artifact: (name: string) => string;
}

/** Runs a script of a job as a runner does; returns its exit code. */
function runScript(script: string, cwd: string, env: Values): Promise<number> {
  return new Promise((ended) =>
    execFile(
      'bash',
      ['-eu', '-o', 'pipefail', '-c', script],
      { cwd, env },
      (error, stdout, stderr) => {
        if (process.env['SHOW_JOBS'] && error !== null)
          process.stderr.write(`${script}\n${stdout}${stderr}\n`);
        ended(Number(error?.code ?? 0));
      },
    ),
  );
}

/** A clean clone of the remote. A shallow one has one commit, and no other branch. */
async function clean(
  { remote }: Team,
  ref: string,
  isShallow = false,
): Promise<string> {
  const folder = await tempFolder();
  const depth = isShallow ? ['--depth=1', `--branch=${ref}`] : [];
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('clone', '--quiet', ...depth, `file://${remote}`, '.');
  if (!isShallow) git('checkout', '--quiet', '--detach', ref);
  return folder;
}

/** Leads a push with a token that may write to the remote; with any other it fails. */
function pushing({ remote }: Team, login: string, end = ''): Values {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${remote}.insteadOf`,
    GIT_CONFIG_VALUE_0: `${FORGE.replace('//', `//${login}@`)}${end}`,
  };
}

// GitHub

/** What expressions can name. */
type Contexts = Readonly<Record<string, unknown>>;

/** A job is never cancelled here. */
const CANCELLED = {
  name: 'cancelled',
  minArgs: 0,
  maxArgs: 0,
  call: () => new data.BooleanData(false),
};

/** What an expression is, as text. */
function evaluated(expression: string, contexts: Contexts): string {
  const known = JSON.parse(
    JSON.stringify(contexts),
    data.reviver,
  ) as data.Dictionary;
  const { tokens } = new Lexer(expression).lex();
  const names = Object.keys(contexts);
  const ast = new Parser(tokens, names, [CANCELLED]).parse();
  const functions = new Map([[CANCELLED.name, CANCELLED]]);
  return new Evaluator(ast, known, functions).evaluate().coerceString();
}

/** A text with its expressions evaluated. */
function expanded(text: unknown, contexts: Contexts): string {
  return `${text}`.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
    evaluated(expression, contexts),
  );
}

function expandedIn(texts: object, contexts: Contexts): Record<string, string> {
  const pairs = Object.entries(texts).map(([name, text]) => [
    name,
    expanded(text, contexts),
  ]);
  return Object.fromEntries(pairs);
}

/** Whether a condition holds; one that does not name `cancelled()` also wants that nothing failed. */
function holds(
  condition: string | undefined,
  hasFailed: boolean,
  contexts: Contexts,
): boolean {
  const [, expression = condition ?? 'true'] =
    /^\$\{\{ (.*) \}\}$/s.exec(condition ?? '') ?? [];
  if (hasFailed && !expression.includes('cancelled()')) return false;
  const text = evaluated(`(${expression}) && 'yes' || 'no'`, contexts);
  return text === 'yes';
}

/** The `gh` of a review: it lists artifacts, the newest first, and copies one of them. */
const GH = `#!/usr/bin/env bash
set -e
if [ "$1" = api ]; then jq --raw-output "$4" "$GH_ARTIFACTS/list.json"; exit; fi
cp -R "$GH_ARTIFACTS/$3/$5" "$7"
`;

/** GitHub, with a workflow in a file. */
export async function gitHub(given: Team, path: string): Promise<Service> {
  const workflow = parseWorkflow(readFileSync(path, 'utf8'));
  const artifacts = await tempFolder({ 'list.json': '{"artifacts":[]}' });
  const bin = await tempFolder();
  await writePrograms(bin, { gh: GH });
  const list: { readonly name: string; readonly workflow_run: object }[] = [];
  const kept = new Map<string, string>();
  let runs = 0;

  const run = async (occasion: Occasion): Promise<Ended> => {
    const { event, branch = 'main', inputs = {}, withheld = [] } = occasion;
    runs += 1;
    const { api = '', vars = {}, isFork = false } = occasion;
    const { commit = given.remoteCommit(branch) } = occasion;
    const isReview = event === 'pull_request';
    const github = {
      ...{ event_name: event, sha: commit, run_id: `${runs}` },
      ...{ base_ref: 'main', repository: 'team/config' },
    };
    const needs: Record<string, object> = {};
    const codes: Record<string, number> = {};
    // Or did not run.
    const failed = new Set<string>();
    const allVars = { SETPOINT_ALLOWED_ORIGINS: given.origins, ...vars };
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const common = { github, inputs, needs, vars: allVars, matrix: {} };
      const before = [job.needs ?? []].flat();
      const hasFailed = before.some((need) => failed.has(need));
      if (!holds(job.if, hasFailed, { ...common, secrets: {}, steps: {} })) {
        needs[name] = { result: 'skipped', outputs: {} };
        failed.add(name);
        continue;
      }
      const servers = serversOf(job, common);
      let outputs: Values = {};
      for (const server of servers) {
        const own = { ...common, matrix: { server } };
        const environment = expanded(job.environment ?? '', own);
        if (withheld.includes(environment)) {
          failed.add(name);
          break;
        }
        const contexts = {
          ...own,
          github: { ...github, token: tokenOf(job) },
          secrets: given.secrets[environment] ?? {},
        };
        const ended = await runJob(job, contexts);
        codes[server === undefined ? name : `${name} ${server}`] = ended.code;
        outputs = ended.outputs;
        if (ended.code === 0) continue;
        failed.add(name);
        break;
      }
      const result = failed.has(name) ? 'failure' : 'success';
      needs[name] = { result, outputs };
    }
    return codes;

    async function runJob(job: Job, contexts: Contexts) {
      const checkout = job.steps?.find(({ uses = '' }) =>
        uses.startsWith('actions/checkout@'),
      );
      const isShallow = checkout?.with?.['fetch-depth'] === undefined;
      const cwd =
        checkout === undefined
          ? await tempFolder()
          : await clean(given, isShallow ? branch : commit, isShallow);
      const env = {
        ...given.base,
        ...pushing(given, 'x-access-token:write'),
        ...expandedIn(workflow.env ?? {}, contexts),
        PATH: `${bin}:${given.base['PATH']}`,
        GH_ARTIFACTS: artifacts,
        GITHUB_API_URL: api,
        GITHUB_REPOSITORY: 'team/config',
        GITHUB_SERVER_URL: 'https://forge.example',
      };
      const steps: Record<string, object> = {};
      let code = 0;
      for (const step of job.steps ?? []) {
        const known = { ...contexts, steps };
        if (!holds(step.if, code !== 0, known)) continue;
        const own = { ...env, ...expandedIn(step.env ?? {}, known) };
        const ended = await runStep(step, cwd, own, known);
        code ||= ended.code;
        if (step.id !== undefined) steps[step.id] = { outputs: ended.outputs };
      }
      const outputs = expandedIn(job.outputs ?? {}, { ...contexts, steps });
      return { code, outputs };
    }

    async function runStep(
      step: Step,
      cwd: string,
      env: Values,
      contexts: Contexts,
    ): Promise<{ code: number; outputs: Values }> {
      const inputs = expandedIn(step.with ?? {}, contexts);
      const { name = '', path: from = '.', 'run-id': id = `${runs}` } = inputs;
      const [action] = (step.uses ?? '').split('@');
      if (step.run !== undefined) {
        const output = join(await tempFolder({ output: '' }), 'output');
        const code = await runScript(step.run, cwd, {
          ...env,
          GITHUB_OUTPUT: output,
        });
        const written = outputsIn(await readFile(output, 'utf8'));
        return { code, outputs: Object.fromEntries(written) };
      }
      if (action === 'actions/upload-artifact') {
        const folder = join(artifacts, `${runs}`, name);
        if (!existsSync(join(cwd, from))) return { code: 1, outputs: {} };
        await mkdir(folder, { recursive: true });
        const to = from.endsWith('.json') ? join(folder, from) : folder;
        await cp(join(cwd, from), to, { recursive: true });
        kept.set(name, folder);
        const of = { head_branch: branch, head_repository_id: isFork ? 6 : 5 };
        const workflow_run = { id: runs, repository_id: 5, ...of };
        list.unshift({ name, workflow_run });
        const named = list.filter((each) => each.name === 'snapshots');
        const listed = JSON.stringify({ artifacts: named });
        await writeFile(join(artifacts, 'list.json'), listed);
      }
      if (action === 'actions/download-artifact') {
        const folder = join(artifacts, id, name);
        if (!existsSync(folder)) return { code: 1, outputs: {} };
        await cp(folder, join(cwd, from), { recursive: true });
      }
      if (action !== 'example/setpoint') return { code: 0, outputs: {} };
      return runAction({
        cwd,
        env,
        event: isReview ? { pull_request: { number: 7 } } : {},
        inputs: { ...inputs, token: 't' },
        only: ['Run', 'Report'],
      });
    }
  };
  return { run, artifact: (name) => kept.get(name) ?? 'none' };
}

/** The servers of a matrix; undefined for the one run of a job without. */
function serversOf(
  { strategy }: Job,
  contexts: Contexts,
): readonly (string | undefined)[] {
  if (strategy === undefined) return [undefined];
  const list = strategy.matrix.server.replace(/^\$\{\{ (.*) \}\}$/, '$1');
  return JSON.parse(evaluated(`toJSON(${list})`, contexts));
}

/** The token of a job; only one that may write can push. */
function tokenOf({ permissions = {} }: Job): string {
  return permissions['contents'] === 'write' ? 'write' : 'read';
}

// GitLab

/** Keywords of a job that its template can have. */
export interface GitLabJob {
  readonly extends?: string;
  readonly stage: string;
  readonly environment?: { readonly name: string };
  readonly rules: readonly Rule[];
  readonly needs?: readonly Need[];
  readonly variables?: Values;
  readonly allow_failure?: { readonly exit_codes: readonly number[] };
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly script?: readonly string[];
  readonly trigger?: Trigger;
}

/** A job by its name, or one of another pipeline. */
type Need = string | { readonly pipeline: string; readonly job: string };

/** Starts a child pipeline from an artifact. */
interface Trigger {
  readonly include: readonly [
    { readonly artifact: string; readonly job: string },
  ];
  readonly strategy: string;
}

/** When a job is in a pipeline, and what that gives it. */
interface Rule {
  readonly if?: string;
  readonly when?: string;
  readonly variables?: Values;
}

type GitLabJobs = Readonly<Record<string, GitLabJob>>;

/** Variables that GitLab gives to each job. */
const PROJECT = {
  CI_PROJECT_ID: '5',
  CI_DEFAULT_BRANCH: 'main',
  CI_SERVER_FQDN: 'forge.example',
  CI_PROJECT_PATH: 'team/config',
  CI_JOB_TOKEN: 'j',
};

const GITLAB = 'examples/ci/gitlab-ci.yml';

/** The file of GitLab's example. */
function gitLabFile() {
  return parse(readFileSync(GITLAB, 'utf8'));
}

/** The variables of a job of GitLab's example in a pipeline, with `when`; undefined if it is not in it. */
export function inPipeline(
  name: string,
  pipeline: Values,
  jobs: GitLabJobs = gitLabFile(),
): Record<string, string> | undefined {
  const job = gitLabJob(name, jobs);
  const known: Values = { ...PROJECT, ...pipeline };
  const rule = job.rules.find((each) => isMet(each.if, known));
  if (rule === undefined || rule.when === 'never') return undefined;
  const variables: Record<string, string> = { when: rule.when ?? 'on_success' };
  const own = { ...job.variables, ...rule.variables };
  for (const [key, value] of Object.entries(own))
    variables[key] = value.replace(/\$(\w+)/g, (_, of) => known[of] ?? '');
  // What a person gives to a pipeline beats what a rule gives.
  return { ...variables, ...known };
}

function gitLabJob(name: string, jobs: GitLabJobs): GitLabJob {
  const job = jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  return { ...jobs[job.extends ?? ''], ...job };
}

/** Whether a condition of a rule holds: comparisons, all of them. */
function isMet(condition: string | undefined, variables: Values): boolean {
  if (condition === undefined) return true;
  return condition.split(' && ').every((part) => {
    const [, name = '', operator, text = ''] =
      /^\$(\w+) (==|=~) (.+)$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`unknown: ${part}`);
    const value = variables[name];
    const [, pattern] = /^\/(.*)\/$/.exec(text) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(value ?? '');
    const [, literal] = /^"(.*)"$/.exec(text) ?? [];
    return value === (literal ?? variables[text.slice(1)]);
  });
}

/** What GitLab calls an occasion. */
function pipelineOf({ event, inputs, isFork }: Occasion): Values {
  if (event !== 'pull_request') {
    const sources = { push: 'push', schedule: 'schedule' } as const;
    const source = event === 'workflow_dispatch' ? 'web' : sources[event];
    const main = { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: 'main' };
    return { ...main, ...inputs };
  }
  return {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_PROJECT_ID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: isFork ? '9' : '5',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main',
  };
}

/** GitLab, with the file of the example. Its `raw` artifacts are files here. */
export async function gitLab(given: Team): Promise<Service> {
  const file = gitLabFile();
  const stages: readonly string[] = file.stages;
  const rawApi = await tempFolder();
  const kept = new Map<string, string>();
  const comment = `"${process.execPath}" "${resolve('action/keep.mjs')}"`;
  let pipelines = 0;

  const run = async (occasion: Occasion): Promise<Ended> => {
    const { branch = 'main', withheld = [], api = '', isFork } = occasion;
    const { commit = given.remoteCommit(branch) } = occasion;
    const codes: Record<string, number> = {};
    /** The folders of artifacts, by their pipelines and jobs. */
    const folders = new Map<string, string>();
    /** The jobs that ended with 0; another pipeline gets artifacts of these alone. */
    const succeeded = new Set<string>();
    await runPipeline(file, pipelineOf(occasion));
    return codes;

    /** Runs the jobs of a pipeline and those of its children; returns whether all is well. */
    async function runPipeline(
      jobs: GitLabJobs,
      pipeline: Values,
    ): Promise<boolean> {
      pipelines += 1;
      const id = `${pipelines}`;
      const done = new Set<string>();
      let isStopped = false;
      const names = Object.keys(jobs)
        .filter((name) => !name.startsWith('.'))
        .filter((name) => 'rules' in gitLabJob(name, jobs))
        .sort((a, b) => stageOf(a) - stageOf(b));
      function stageOf(name: string): number {
        return stages.indexOf(gitLabJob(name, jobs).stage);
      }
      const isThere = names.some((name) => inPipeline(name, pipeline, jobs));
      if (!isThere) throw new Error('a pipeline without jobs');
      for (const name of names) {
        const job = gitLabJob(name, jobs);
        const variables = inPipeline(name, pipeline, jobs);
        if (variables === undefined) continue;
        const { when } = variables;
        const { environment = { name: '' }, needs } = job;
        const { SERVER = '' } = variables;
        const at = environment.name.replace('$SERVER', SERVER);
        const isMade = (need: Need) =>
          typeof need === 'string'
            ? done.has(need)
            : succeeded.has(`${need.pipeline} ${need.job}`);
        const isReady = needs === undefined ? !isStopped : needs.every(isMade);
        if ((!isReady && when !== 'always') || withheld.includes(at)) {
          isStopped = true;
          continue;
        }
        if (job.trigger !== undefined) {
          const [{ artifact, job: from }] = job.trigger.include;
          const path = join(folders.get(`${id} ${from}`) ?? '', artifact);
          const { include, ...own } = parse(await readFile(path, 'utf8'));
          if (include !== '.gitlab-ci.yml') throw new Error(include);
          const isWell = await runPipeline(
            { ...file, ...own },
            { ...pipeline, CI_PIPELINE_SOURCE: 'parent_pipeline' },
          );
          if (isWell) done.add(name);
          else isStopped = true;
          continue;
        }
        const cwd = await clean(given, commit);
        for (const need of needs ?? done) {
          const own = { pipeline: id, job: `${need}` };
          const { pipeline, job } = typeof need === 'string' ? own : need;
          const folder = folders.get(`${pipeline} ${job}`);
          if (folder !== undefined) await cp(folder, cwd, { recursive: true });
        }
        const known = { ...variables, CI_PIPELINE_ID: id };
        const code = await runJob(job, at, cwd, known);
        codes[name] = code;
        const folder = await tempFolder();
        for (const path of job.artifacts?.paths ?? [])
          if (existsSync(join(cwd, path)))
            await cp(join(cwd, path), join(folder, path));
        folders.set(`${id} ${name}`, folder);
        kept.set(name, folder);
        if (code === 0) succeeded.add(`${id} ${name}`);
        if (code === 0 || job.allow_failure?.exit_codes?.includes(code))
          done.add(name);
        else isStopped = true;
      }
      const live = join(kept.get('live') ?? '', 'snapshots.tar');
      if (done.has('live')) {
        const raw = join(rawApi, 'projects/5/jobs/artifacts/main/raw');
        await mkdir(raw, { recursive: true });
        await cp(live, join(raw, 'snapshots.tar'));
      }
      return !isStopped;
    }

    async function runJob(
      job: GitLabJob,
      at: string,
      cwd: string,
      variables: Values,
    ): Promise<number> {
      const isComment = at === 'setpoint-comment';
      const login = at === '' || isComment ? 'read' : 'write';
      const env = {
        ...given.base,
        ...pushing(given, `setpoint:${login}`, '.git'),
        ...variables,
        ...given.secrets[at],
        SETPOINT_ALLOWED_ORIGINS: given.origins,
        CI_API_V4_URL: isComment || isFork ? api : `file://${rawApi}`,
        ...(isComment ? { SETPOINT_COMMENT_TOKEN: 't' } : {}),
        ...(login === 'write' ? { SETPOINT_PUSH_TOKEN: 'write' } : {}),
      };
      const lines = [...file.default.before_script, ...(job.script ?? [])];
      const script = lines.join('\n').replace('node .gitlab/keep.mjs', comment);
      return runScript(script, cwd, env);
    }
  };
  return { run, artifact: (name) => kept.get(name) ?? 'none' };
}
