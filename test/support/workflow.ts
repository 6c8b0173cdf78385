import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { tempFolder } from './temp.ts';

/** A step of a workflow or of an action. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly uses?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly strategy?: {
    readonly matrix: { readonly server: string };
  };
  readonly environment?: string;
  readonly concurrency?: {
    readonly group: string;
    readonly 'cancel-in-progress': unknown;
  };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly on: string | readonly string[] | Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Triggers that give the branch of a stranger a token that may write, or secrets. */
const DANGEROUS = ['pull_request_target', 'workflow_run', 'issue_comment'];

/** A workflow, or an action, whose steps are those of its one job. */
export function parseWorkflow(text: string): Workflow {
  const parsed = parse(text);
  if (parsed.runs === undefined) return parsed;
  const job = { steps: parsed.runs.steps, 'timeout-minutes': 1 };
  return { on: [], permissions: {}, jobs: { action: job } };
}

/** What is wrong with a workflow or an action of GitHub, in a word and where. */
export function workflowProblems(text: string): string[] {
  const workflow = parseWorkflow(text);
  const { on, permissions, jobs } = workflow;
  const triggers =
    typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on);
  return [
    ...triggers
      .filter((trigger) => DANGEROUS.includes(trigger))
      .map((trigger) => `trigger ${trigger}`),
    ...(permissions === undefined || typeof permissions === 'string'
      ? ['permissions of the workflow']
      : []),
    ...unpinned(text),
    ...Object.entries(jobs).flatMap(([name, job]) => jobProblems(name, job)),
  ];
}

/** Stands for the commit that a reader pins. */
const PLACEHOLDER = `example/setpoint@${'0'.repeat(40)}`;

/** Actions that are named by anything but a commit with the version behind it. */
function unpinned(text: string): string[] {
  const pinned = /^(\.\/\S+|[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
  return [...text.matchAll(/^\s*(?:- )?uses: *(.*)$/gm)]
    .map(([, what = '']) => what)
    .filter((what) => what !== PLACEHOLDER && !pinned.test(what))
    .map((what) => `unpinned ${what}`);
}

function jobProblems(name: string, job: Job): string[] {
  const { steps = [], environment, permissions = {} } = job;
  const secretless =
    environment === undefined &&
    /secrets\.(?!GITHUB_TOKEN)/.test(JSON.stringify(job));
  return [
    ...(Object.values(permissions).includes('write-all') ||
    typeof permissions === 'string'
      ? [`permissions of ${name}`]
      : []),
    ...(job.uses === undefined && job['timeout-minutes'] === undefined
      ? [`timeout of ${name}`]
      : []),
    ...(secretless ? [`secret without an environment in ${name}`] : []),
    ...(JSON.stringify(job.env ?? {}).includes('secrets.')
      ? [`secret for all steps of ${name}`]
      : []),
    ...steps.flatMap(({ run = '', uses = '', ...step }) => [
      ...(run.includes('${{') ? [`expression in a shell of ${name}`] : []),
      ...(uses.startsWith('actions/checkout@') &&
      step.with?.['persist-credentials'] !== false
        ? [`token left in the checkout of ${name}`]
        : []),
    ]),
  ];
}

/** Returns what GitHub's own parser finds wrong with the text of a workflow. */
export async function workflowParser(): Promise<
  (content: string) => Promise<string[]>
> {
  // It loads JSON as only a bundler does.
  const stdin = {
    contents: "export * from '@actions/workflow-parser'",
    resolveDir: '.',
  };
  const form = { platform: 'node', format: 'cjs' } as const;
  const bundle = { stdin, bundle: true, write: false, ...form } as const;
  const [file] = (await build(bundle)).outputFiles;
  const folder = await tempFolder({ 'parser.cjs': file?.text ?? '' });
  const path = join(folder, 'parser.cjs');
  const github: typeof import('@actions/workflow-parser') =
    createRequire(path)(path);
  return async (content) => {
    const trace = new github.NoOperationTraceWriter();
    const { context, value } = github.parseWorkflow(
      { name: 'f', content },
      trace,
    );
    if (value !== undefined)
      await github.convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(String);
  };
}
