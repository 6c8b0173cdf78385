import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { PROGRAM } from './program.ts';
import { tempFolder } from './temp.ts';
import type { Step } from './workflow.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export const ACTION = parse(readFileSync('action.yml', 'utf8')) as Action;

interface ActionWish {
  /** What a workflow gives; the rest is as the action has it. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The environment of the step that uses the action. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The document of the event. */
  readonly event?: object;
  /** The steps to run, by name; without, those of a shell that come after the installation. */
  readonly only?: readonly string[];
  /** Outputs of steps that are not run: `run.comment`. */
  readonly given?: Readonly<Record<string, string>>;
}

/** Runs the shell steps of the action as a runner does: inputs by expressions, outputs and the summary by files. */
export async function runAction(wish: ActionWish) {
  const { cwd, env, event = {}, only = ['Run', 'Report'] } = wish;
  const folder = await tempFolder({
    event: JSON.stringify(event),
    output: '',
    summary: '',
    path: '',
  });
  const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [
    name,
    input.default ?? '',
  ]);
  const inputs: Record<string, string> = {
    ...Object.fromEntries(defaults),
    ...wish.inputs,
  };
  const outputs: Record<string, string> = { ...wish.given };
  const done = { code: 0, log: '' };
  const path = [env?.['PATH'] ?? process.env['PATH'] ?? ''];
  for (const step of ACTION.runs.steps) {
    if (step.run === undefined || !only.includes(step.name ?? '')) continue;
    if (done.code !== 0 && step.if !== '${{ !cancelled() }}') continue;
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      expand(value, inputs, { 'install.program': PROGRAM, ...outputs }),
    ]);
    const { code, log } = await runStep(step.run, cwd, {
      HOME: folder,
      ...env,
      PATH: path.join(':'),
      GITHUB_ACTION_PATH: resolve('.'),
      GITHUB_EVENT_PATH: join(folder, 'event'),
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_PATH: join(folder, 'path'),
      GITHUB_REPOSITORY: 'team/config',
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      RUNNER_TEMP: folder,
      ...Object.fromEntries(own),
    });
    const set = outputsIn(await readFile(join(folder, 'output'), 'utf8'));
    for (const [name, value] of set) outputs[`${step.id}.${name}`] = value;
    await writeFile(join(folder, 'output'), '');
    const added = await readFile(join(folder, 'path'), 'utf8');
    path.unshift(...added.split('\n').filter((line) => line !== ''));
    await writeFile(join(folder, 'path'), '');
    done.log += log;
    done.code ||= code;
  }
  const results = Object.entries(ACTION.outputs).map(([name, { value }]) => {
    return [name, expand(value, inputs, outputs)] as const;
  });
  const summary = await readFile(join(folder, 'summary'), 'utf8');
  return {
    ...done,
    folder,
    path,
    summary,
    outputs: Object.fromEntries(results),
    stepOutputs: outputs,
  };
}

/** The expressions that the action uses; any other is an error. */
function expand(
  template: string,
  inputs: Record<string, string>,
  outputs: Record<string, string>,
): string {
  return template.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const [, input] = /^inputs\.([a-z0-9-]+)$/.exec(expression) ?? [];
    const [, step, output] =
      /^steps\.([a-z]+)\.outputs\.([a-z-]+)$/.exec(expression) ?? [];
    const value =
      input === undefined
        ? (outputs[`${step}.${output}`] ?? '')
        : inputs[input];
    if (value === undefined || (input ?? output) === undefined)
      throw new Error(`unknown: ${expression}`);
    return value;
  });
}

async function runStep(
  script: string,
  cwd: string,
  env: Record<string, string>,
) {
  const file = join(await tempFolder({ 'step.sh': script }), 'step.sh');
  const flags = ['--noprofile', '--norc', '-eo', 'pipefail'];
  return new Promise<{ readonly code: number; readonly log: string }>(
    (ended) => {
      execFile(
        'bash',
        [...flags, file],
        { cwd, env },
        (error, stdout, stderr) =>
          ended({ code: Number(error?.code ?? 0), log: `${stdout}${stderr}` }),
      );
    },
  );
}

/** What a runner reads in the file of outputs. */
export function outputsIn(
  written: string,
): (readonly [name: string, value: string])[] {
  const lines = written.split('\n');
  const found: (readonly [string, string])[] = [];
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    const [, name = '', end] = /^(.+?)<<(.+)$/.exec(line) ?? [];
    if (end !== undefined) {
      found.push([name, lines.splice(0, lines.indexOf(end)).join('\n')]);
      lines.shift();
    } else if (line !== '') {
      const at = line.indexOf('=');
      found.push([line.slice(0, at), line.slice(at + 1)]);
    }
  }
  return found;
}
