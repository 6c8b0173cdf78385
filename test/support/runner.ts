import { execFile } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import picomatch from 'picomatch';
import { runAction } from './composite-action.ts';
import { tempFolder } from './temp.ts';
import type { Job } from './workflow.ts';

/** What a job of GitHub runs on. */
export interface Runner {
  /** The checkout; a job without one runs in an empty folder. */
  readonly cwd: string;
  /** The folder in which artifacts are kept, by their names. */
  readonly artifacts: string;
  readonly event: object;
  /** What every step has. */
  readonly env: Readonly<Record<string, string>>;
}

/** What expressions can name. */
export type Contexts = Readonly<Record<string, unknown>>;

/** How a job ended. */
export interface EndedJob {
  readonly code: number;
  /** The outputs that the job declares, or else those of its last action. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs a job of a workflow as a runner does: setpoint's action for real, checkouts and artifacts as copies. */
export async function runJob(
  job: Job,
  { artifacts, ...runner }: Runner,
  contexts: Contexts,
): Promise<EndedJob> {
  const { steps = [] } = job;
  const hasCheckout = steps.some(({ uses = '' }) =>
    uses.startsWith('actions/checkout@'),
  );
  const cwd = hasCheckout ? runner.cwd : await tempFolder();
  let code = 0;
  let outputs: Readonly<Record<string, string>> = {};
  const byId: Record<string, object> = {};
  for (const step of steps) {
    const { id, uses = '', if: condition, with: given = {} } = step;
    if (code !== 0 && condition === undefined) continue;
    const [action] = uses.split('@');
    const inputs = expandedIn(given, contexts);
    const { name = '', path = '.', pattern = name } = inputs;
    if (action === 'actions/upload-artifact')
      await cp(join(cwd, path), join(artifacts, name, path));
    if (action === 'actions/download-artifact')
      for (const each of await readdir(artifacts))
        if (picomatch.isMatch(each, pattern))
          await cp(join(artifacts, each), join(cwd, path), { recursive: true });
    if (action !== 'example/setpoint') continue;
    const env = { ...runner.env, ...expandedIn(step.env ?? {}, contexts) };
    const ended = await runAction({
      ...runner,
      cwd,
      env,
      inputs: { ...inputs, token: 't' },
      only: ['Run', 'Comment', 'Issue'],
    });
    code ||= ended.code;
    outputs = ended.outputs;
    if (id !== undefined) byId[id] = { outputs };
  }
  if (job.outputs === undefined) return { code, outputs };
  return {
    code,
    outputs: expandedIn(job.outputs, { ...contexts, steps: byId }),
  };
}

/** Texts with their expressions evaluated. */
function expandedIn(texts: object, contexts: Contexts): Record<string, string> {
  const expanded = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
      evaluated(expression, contexts),
    );
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, expanded(`${value}`)]),
  );
}

/** A job is never cancelled here. */
const CANCELLED = {
  name: 'cancelled',
  minArgs: 0,
  maxArgs: 0,
  call: () => new data.BooleanData(false),
};

/** What an expression is, as text. Fails if it names a secret or a variable that the job was not given. */
export function evaluated(expression: string, contexts: Contexts): string {
  for (const [text, context = '', name = ''] of expression.matchAll(
    /\b(secrets|vars)\.(\w+)/g,
  ))
    if (!Object.hasOwn(contexts[context] ?? {}, name))
      throw new Error(`not given: ${text}`);
  const known = JSON.parse(
    JSON.stringify(contexts),
    data.reviver,
  ) as data.Dictionary;
  const ast = new Parser(
    new Lexer(expression).lex().tokens,
    Object.keys(contexts),
    [CANCELLED],
  ).parse();
  const functions = new Map([[CANCELLED.name, CANCELLED]]);
  return new Evaluator(ast, known, functions).evaluate().coerceString();
}

/** The exit codes of shards that run one after the other. */
export async function inTurn(
  shards: readonly number[],
  run: (shard: number) => Promise<number>,
): Promise<number[]> {
  const codes: number[] = [];
  for (const shard of shards) codes.push(await run(shard));
  return codes;
}

/** Runs a script as GitLab does, and returns its exit code. A variable that the job was not given fails it. */
export function runScript(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<number> {
  return new Promise((ended) =>
    execFile('bash', ['-eu', '-c', script], { cwd, env }, (error) =>
      ended(Number(error?.code ?? 0)),
    ),
  );
}
