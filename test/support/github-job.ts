import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import picomatch from 'picomatch';
import { runAction } from './composite-action.ts';
import { tempFolder } from './temp.ts';
import type { Job } from './workflow.ts';

interface JobWish {
  /** The checkout; a job without one runs in an empty folder. */
  readonly cwd: string;
  /** What every step has. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which artifacts are kept, by their names. */
  readonly artifacts: string;
  /** The contexts of expressions. */
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly event?: object;
}

/** Runs a job of a workflow as a runner does: setpoint's action for real, checkouts and artifacts as copies. */
export async function runJob({ steps = [] }: Job, wish: JobWish) {
  const hasCheckout = steps.some(({ uses = '' }) => uses.startsWith('actions/checkout@'));
  const cwd = hasCheckout ? wish.cwd : await tempFolder();
  const done: { code: number; outputs: Readonly<Record<string, string>> } = { code: 0, outputs: {} };
  const expandedIn = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, expanded(`${value}`, wish.contexts)]),
    );
  for (const { uses = '', if: condition, with: given = {}, env: own = {} } of steps) {
    if (done.code !== 0 && condition === undefined) continue;
    const [action] = uses.split('@');
    const inputs = expandedIn(given);
    const { name = '', path = '.', pattern = name } = inputs;
    if (action === 'actions/upload-artifact') await cp(join(cwd, path), join(wish.artifacts, name, path));
    if (action === 'actions/download-artifact')
      for (const each of await readdir(wish.artifacts))
        if (picomatch.isMatch(each, pattern))
          await cp(join(wish.artifacts, each), join(cwd, path), { recursive: true });
    if (action !== 'example/setpoint') continue;
    const { code, outputs } = await runAction({
      ...{ ...wish, cwd, env: { ...wish.env, ...expandedIn(own) } },
      inputs: { ...inputs, token: 't' },
    });
    done.code ||= code;
    done.outputs = outputs;
  }
  return done;
}

/** A text with its expressions evaluated. */
function expanded(text: string, contexts: JobWish['contexts']): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => evaluated(expression, contexts));
}

/** What an expression is, as text. */
export function evaluated(expression: string, contexts: JobWish['contexts']): string {
  const known = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  const ast = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), []).parse();
  return new Evaluator(ast, known).evaluate().coerceString();
}
