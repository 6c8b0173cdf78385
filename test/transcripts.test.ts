import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gitRepository } from './support/git-repository.ts';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN, run } from './support/run.ts';
import { tempFolder, writeFiles } from './support/temp.ts';

const FOLDER = 'test/transcripts';
const transcripts = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

// UPDATE_TRANSCRIPTS=1 writes them anew; the difference is then to be read.
test.each(transcripts)('%s', async (name) => {
  const path = `${FOLDER}/${name}`;
  const written = readFileSync(path, 'utf8');
  const fresh = await replayed(written);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') writeFileSync(path, fresh);
  else expect(fresh).toBe(written);
});

/** The address that transcripts have for the sandbox; it is as long as that of any sandbox. */
const SANDBOX = '127.0.0.1:40100';

const FILE = /```(?:yaml|json) (\S+)\n([\s\S]*?)```/g;
const CONSOLE =
  /```console\n\$ ((?:[A-Z_]+=\S+ )*)(setpoint|git) (.*)\n([\s\S]*?)```/g;

/** How the sandbox of a transcript differs from others, as JSON; its commands are run by an administrator. */
const WISH = /```sandbox\n([\s\S]*?)```/;

/** When all commands are run: what they print must not hang on the day. */
const NOW = Date.parse('2026-11-22T12:00:00Z');

/** What the commands of a transcript meet. */
interface Scene {
  readonly cwd: string;
  readonly host: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A transcript as it would be written today: the text around the commands as it is, the output of each command anew, one
 * after the other, as on a terminal of 80 columns without colours. The files that stand between two commands are written
 * before the second. A command may have assignments before it, as in a shell, and `<<< yes` behind it, the answer to its
 * question. Where one is of git, the folder is a repository, and a commit takes all files.
 */
async function replayed(markdown: string): Promise<string> {
  const wish = WISH.exec(markdown)?.[1];
  const { host } = markdown.includes(SANDBOX)
    ? new URL((await liveSandbox(JSON.parse(wish ?? '{}'))).url)
    : { host: SANDBOX };
  const env =
    wish === undefined ? {} : { ...ADMIN, SETPOINT_KEY: 'k-12345678' };
  const git = markdown.includes('$ git ') ? await gitRepository() : undefined;
  const shell = { NO_COLOR: '1', PATH: process.env['PATH'] ?? '' };
  const scene = {
    cwd: git?.root ?? (await tempFolder()),
    host,
    env: { ...env, ...shell },
  };
  const pieces: string[] = [];
  const read = { to: 0 };
  for (const {
    0: block,
    1: assignments = '',
    2: program,
    3: command = '',
    index,
  } of markdown.matchAll(CONSOLE)) {
    const files = [...markdown.slice(read.to, index).matchAll(FILE)].map(
      ([, path = '', text = '']) => [path, text.replaceAll(SANDBOX, host)],
    );
    await writeFiles(scene.cwd, Object.fromEntries(files));
    if (program === 'git') {
      git?.git('add', '--all');
      git?.git(...command.split(' '));
    }
    const shown =
      program === 'git' ? block : await printed(scene, assignments, command);
    pieces.push(markdown.slice(read.to, index), shown);
    read.to = index + block.length;
  }
  return [...pieces, markdown.slice(read.to)].join('');
}

async function printed(
  { cwd, host, env }: Scene,
  assignments: string,
  command: string,
): Promise<string> {
  const [line = '', answer] = command.split(' <<< ');
  const set = [...assignments.matchAll(/([A-Z_]+)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  );
  const { code, screen } = await run(
    line.replaceAll(SANDBOX, host).split(' '),
    {
      cwd,
      env: { ...env, ...Object.fromEntries(set) },
      isTTY: true,
      columns: 80,
      now: () => NOW,
      ...(answer === undefined ? {} : { answer }),
    },
  );
  // Without the status line, which comes and goes, and never ends in a new line.
  const [start, ...rest] = screen.split('\r\u001b[K');
  const still = [start, ...rest.filter((text) => text.includes('\n'))].join('');
  const told = still
    .replace(/Type yes: /, `$&${answer ?? ''}\n`)
    .replaceAll(host, SANDBOX);
  const stable = told.replace(/\([0-9a-f]{12}\)/g, '(0123456789ab)');
  return `\`\`\`console\n$ ${assignments}setpoint ${command}\n${stable}[exit ${code}]\n\`\`\``;
}
