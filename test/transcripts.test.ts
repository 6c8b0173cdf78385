import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLE_CATALOG } from './support/dialects.ts';
import { gitRepository } from './support/git-repository.ts';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN, run } from './support/run.ts';
import { tempFolder, writeFiles } from './support/temp.ts';

const FOLDER = 'test/transcripts';
const transcripts = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
const paths = transcripts.map((name) => `${FOLDER}/${name}`);

// UPDATE_TRANSCRIPTS=1 writes them anew; the difference is then to be read.
test.each([...paths, 'docs/teams.md'])('%s', async (path) => {
  const written = readFileSync(path, 'utf8');
  const fresh = await replayed(written);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') writeFileSync(path, fresh);
  else expect(fresh).toBe(written);
});

/** The addresses that transcripts have for sandboxes; they are as long as those of any sandbox. */
const SANDBOXES = ['127.0.0.1:40100', '127.0.0.1:40200'];

const FILE = /```(?:yaml|json|text) (\S+)\n([\s\S]*?)```/g;
const CONSOLE =
  /```console\n\$ ((?:[A-Z_]+=\S+ )*)(setpoint|git) (.*)\n([\s\S]*?)```/g;

/** How the sandboxes of a transcript differ from others, as JSON; its commands are run by an administrator. */
const WISH = /(?:```|<!-- )sandbox\s([\s\S]*?)(?:```| -->)/g;

/** An integration that is installed on a sandbox between two commands: its file in the catalog. */
const INSTALLED = /```json (\S+) installed on (\S+)\n([\s\S]*?)```/g;

/** When all commands are run: what they print must not hang on the day. */
const NOW = Date.parse('2026-11-22T12:00:00Z');

/** What the commands of a transcript meet. */
interface Scene {
  readonly cwd: string;
  /** The sandboxes, as transcripts name them and as they are. */
  readonly hosts: readonly Host[];
  readonly env: Readonly<Record<string, string>>;
}

interface Host {
  readonly name: string;
  readonly address: string;
  /** Installs an integration; the state stays. */
  readonly install: (file: string, text: string) => Promise<void>;
}

/** Starts the sandboxes that a transcript names. */
async function hostsOf(
  markdown: string,
  wishes: readonly string[],
): Promise<Host[]> {
  const hosts: Host[] = [];
  for (const [index, name] of SANDBOXES.entries()) {
    if (!markdown.includes(name)) continue;
    const wish = JSON.parse(wishes[index] ?? '{}');
    // What is installed later is added to a copy, and kept state outlasts that.
    const catalog = await tempFolder();
    await cp(EXAMPLE_CATALOG, catalog, { recursive: true });
    const dataFile = join(await tempFolder(), 'state.json');
    const sandbox = await liveSandbox({ catalog, dataFile, ...wish });
    const install = async (file: string, text: string): Promise<void> => {
      await writeFiles(catalog, { [file]: text });
      await sandbox.restart();
    };
    hosts.push({ name, address: new URL(sandbox.url).host, install });
  }
  return hosts;
}

function withAddresses(text: string, hosts: readonly Host[]): string {
  let shown = text;
  for (const { name, address } of hosts) {
    shown = shown.replaceAll(name, address);
  }
  return shown;
}

function withNames(text: string, hosts: readonly Host[]): string {
  let shown = text;
  for (const { name, address } of hosts) {
    shown = shown.replaceAll(address, name);
  }
  return shown;
}

/**
 * A transcript as it would be written today: the text around the commands as it is, the output of each command anew, one
 * after the other, as on a terminal of 80 columns without colours. The files that stand between two commands are written
 * before the second. A command may have assignments before it, as in a shell, and `<<< yes` behind it, the answer to its
 * question. Where one is of git, the folder is a repository, and a commit takes all files.
 */
async function replayed(markdown: string): Promise<string> {
  const wishes = [...markdown.matchAll(WISH)].map(([, wish = '']) => wish);
  const hosts = await hostsOf(markdown, wishes);
  const env =
    wishes.length === 0 ? {} : { ...ADMIN, SETPOINT_KEY: 'k-12345678' };
  const git = markdown.includes('$ git ') ? await gitRepository() : undefined;
  const shell = { NO_COLOR: '1', PATH: process.env['PATH'] ?? '' };
  const scene = {
    cwd: git?.root ?? (await tempFolder()),
    hosts,
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
      ([, path = '', text = '']) => [path, withAddresses(text, hosts)],
    );
    await writeFiles(scene.cwd, Object.fromEntries(files));
    const between = markdown.slice(read.to, index);
    for (const [, file = '', host, text = ''] of between.matchAll(INSTALLED)) {
      await hosts.find(({ name }) => name === host)?.install(file, text);
    }
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
  { cwd, hosts, env }: Scene,
  assignments: string,
  command: string,
): Promise<string> {
  const [line = '', answer] = command.split(' <<< ');
  const set = [...assignments.matchAll(/([A-Z_]+)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  );
  const { code, screen } = await run(withAddresses(line, hosts).split(' '), {
    cwd,
    env: { ...env, ...Object.fromEntries(set) },
    isTTY: true,
    columns: 80,
    now: () => NOW,
    ...(answer === undefined ? {} : { answer }),
  });
  // Without the status line, which comes and goes, and never ends in a new line.
  const [start, ...rest] = screen.split('\r\u001b[K');
  const still = [start, ...rest.filter((text) => text.includes('\n'))].join('');
  // Servers are read side by side: which is finished first, and when, varies.
  const settled = still.replace(/^.* \d+\.\d s\n/gm, '');
  const answered = settled.replace(/Type yes: /, `$&${answer ?? ''}\n`);
  const stable = withNames(answered, hosts).replace(
    /\([0-9a-f]{12}\)/g,
    '(0123456789ab)',
  );
  return `\`\`\`console\n$ ${assignments}setpoint ${command}\n${stable}[exit ${code}]\n\`\`\``;
}
