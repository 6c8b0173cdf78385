import { onTestFinished } from 'vitest';
import { type Example, USUAL } from '../../src/core/findings/explained/example.ts';
import { liveSandbox } from './live-sandbox.ts';
import type { Program } from './program.ts';
import { ADMIN, type RunWish, run } from './run.ts';
import { SITUATIONS } from './situations.ts';
import { tempFolder, writeFiles } from './temp.ts';

/** The day on which the examples are run: some hold days that are long ago, or not. */
const TODAY = Date.parse('2026-11-22T12:00:00Z');

/** What starts setpoint in a process of its own. */
type Start = (args: readonly string[], wish: { readonly cwd: string; readonly shell: string }) => Program;

/** How the last command of an example ended, and the codes of what it found. */
interface Worked {
  readonly code: number | string;
  readonly codes: readonly string[];
}

/** Does what an example says as a person would: its situation, its files, a server where it names one, line by line. */
export async function worked({ files, commands, situation }: Example, start: Start): Promise<Worked> {
  const lines = commands
    .join('\n')
    .replace(/ \\\n\s*/g, ' ')
    .split('\n');
  const cwd = await tempFolder({ '.git/HEAD': '' });
  const made = situation === undefined ? {} : await SITUATIONS[situation]?.(cwd);
  const url = made?.url ?? (await served(lines, cwd));
  const written = Object.entries({ 'integrations.yaml': USUAL, ...files }).map(([path, text]) => [
    path,
    atHand(text, url),
  ]);
  await writeFiles(cwd, Object.fromEntries(written));
  await made?.prepare?.();
  const env: Record<string, string> = { ...ADMIN };
  const last: { worked: Worked } = { worked: { code: 'no command was run', codes: [] } };
  for (const line of lines.filter((each) => !each.endsWith(' &'))) {
    const [word, ...words] = wordsOf(atHand(line, url));
    if (word === 'export') for (const each of words) set(env, each);
    else if (word === 'unset') for (const name of words) delete env[name];
    else if (words.includes('>')) last.worked = await redirected(words, cwd, start);
    else last.worked = await typed(words, { cwd, env, ...made?.wish });
  }
  return last.worked;
}

/** A text with the address of the sandbox that runs; the other name of this machine is another address of it. */
function atHand(text: string, url: string): string {
  return text.replace(/https?:\/\/(localhost|127\.0\.0\.1):4010\b/g, (_, host) =>
    host === 'localhost' ? url : url.replace('127.0.0.1', 'localhost'),
  );
}

/** The words of a line of a shell, without their quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

function set(env: Record<string, string>, assignment: string): void {
  const at = assignment.indexOf('=');
  env[assignment.slice(0, at)] = assignment.slice(at + 1);
}

/** The address of the sandbox that runs in the background of an example, or of one by its defaults. */
async function served(lines: readonly string[], cwd: string): Promise<string> {
  const line = lines.find((each) => each.endsWith(' &'));
  if (line === undefined) return (await liveSandbox()).url;
  const held: { end?: () => void } = {};
  const [, ...words] = wordsOf(line.replace(/ &$/, ''));
  return new Promise<string>((listens) => {
    const ended = run([...words, '--port', '0'], {
      cwd,
      onStart: (signal) => {
        held.end = () => signal('SIGINT');
      },
      onOutput: (stdout) => listens(/http:\S+/.exec(stdout)?.[0] ?? ''),
    });
    onTestFinished(async () => {
      held.end?.();
      await ended;
    });
  });
}

/** Runs setpoint in this process; a sandbox ends once it listens. */
async function typed(words: readonly string[], wish: RunWish): Promise<Worked> {
  const isSandbox = words[0] === 'sandbox';
  const held: { end?: () => void } = {};
  const { code, stderr } = await run([...words, ...(isSandbox ? ['--port', '0'] : ['--verbose'])], {
    now: () => TODAY + performance.now(),
    onStart: (signal) => {
      held.end = () => signal('SIGINT');
    },
    onOutput: () => {
      if (isSandbox) held.end?.();
    },
    ...wish,
  });
  return { code, codes: codesIn(stderr) };
}

/** Runs setpoint in a shell that sends its output elsewhere. */
async function redirected(words: readonly string[], cwd: string, start: Start): Promise<Worked> {
  const at = words.indexOf('>');
  const program = start(words.slice(0, at), { cwd, shell: `exec "$@" > ${words[at + 1]}` });
  return { code: await program.ended, codes: codesIn(program.stderr()) };
}

function codesIn(stderr: string): string[] {
  return [
    ...stderr.matchAll(/^(?:.*Type yes: )?(?:\S+:\d+:\d+ )?(?:error|warning|note) ([a-z0-9-]+):/gm),
  ].map(([, code = '']) => code);
}
