import { execFile } from 'node:child_process';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { cut } from '../../core/findings/words.ts';
import { errorCode, fail } from '../failure.ts';
import { isInside } from '../report-target.ts';
import type { Run } from '../run.ts';

/** Milliseconds that one call of git may take: it reads objects of this machine. */
const MOST_TIME = 30_000;

/** The most bytes that git may print about a repository itself. */
const MOST_TALK = 64 * 1024;

/** A git repository, and the program that reads it. */
export interface Repository {
  /** The folder of its work tree. */
  readonly root: string;
  readonly program: string;
  readonly interruption: Run['interruption'];
}

/** A call of git, and what its answer may come to. */
interface Call {
  readonly args: readonly string[];
  /** What it reads from stdin. */
  readonly input?: string;
  /** The most bytes of its answer. */
  readonly most?: number;
  /** True for a command that takes paths, not patterns, and no flag that says so. */
  readonly takesPaths?: true;
}

/** How a call of git ended. */
interface Answer {
  /** Undefined where it did not end by itself. */
  readonly code: number | undefined;
  readonly bytes: Buffer;
  /** Why there is no good answer, in words. */
  readonly reason: string;
}

const GIT_MISSING = {
  problem: 'git was not found in the folders of PATH',
  hint: 'Install git, or name its folder in PATH by an absolute path outside of the repository.',
};

/** The repository whose work tree has this root. Fails where there is no git to read it. */
export async function openRepository(run: Run, root: string): Promise<Repository> {
  const program = await programIn(run.runtime.env, root);
  return {
    root,
    program: program ?? fail(diagnostic('no-revision', GIT_MISSING)),
    interruption: run.interruption,
  };
}

/** All of the environment that git gets: no secret, no program, no settings of the user or the system, nothing to fetch from. */
const ENVIRONMENT = {
  PATH: '/dev/null',
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
} as const;

/**
 * Calls git without a shell, outside of any folder of the repository. Never throws for what git answers, only where the run
 * ends before git does.
 */
export async function callGit(repository: Repository, call: Call): Promise<Answer> {
  const answer = await answerOf(repository, call);
  if (answer.code === undefined) repository.interruption.check();
  return answer;
}

function answerOf({ root, program, interruption }: Repository, call: Call): Promise<Answer> {
  const { args, input = '', most = MOST_TALK, takesPaths = false } = call;
  const options = {
    cwd: parse(root).root,
    env: ENVIRONMENT,
    encoding: 'buffer',
    timeout: MOST_TIME,
    killSignal: 'SIGKILL',
    // It holds for complaints as well.
    maxBuffer: Math.max(most, MOST_TALK),
    windowsHide: true,
    signal: interruption.stopping,
  } as const;
  return new Promise((done) => {
    const literal = takesPaths ? [] : ['--literal-pathspecs'];
    // The setting names a program that git starts when it reads its index.
    const all = ['--git-dir', join(root, '.git'), '-c', 'core.fsmonitor=false', ...literal, ...args];
    const child = execFile(program, all, options, (thrown, bytes, complaint) => {
      const code = thrown === null ? 0 : typeof thrown.code === 'number' ? thrown.code : undefined;
      done({ code, bytes, reason: thrown === null ? '' : reasonOf(thrown, complaint) });
    });
    // It may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** The same for a call that has to succeed. */
export async function askGit(repository: Repository, call: Call): Promise<Buffer> {
  const { code, bytes, reason } = await callGit(repository, call);
  return code === 0 ? bytes : fail(gitFailed(reason));
}

/** The finding for a repository that git cannot read. */
export function gitFailed(reason: string): Diagnostic {
  const hint = 'Run git fsck, or clone the repository again.';
  return diagnostic('no-revision', { problem: `git cannot read the repository: ${reason}`, hint });
}

function reasonOf(thrown: Error & { readonly killed?: boolean | undefined }, complaint: Buffer): string {
  if (errorCode(thrown) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'it holds more than setpoint reads';
  if (thrown.killed === true) return `it took more than ${MOST_TIME / 1000} s`;
  const [line = ''] = complaint.toString().trim().split('\n');
  return line === '' ? 'git gave no reason' : cut(line.replace(/^fatal: /, ''), undefined, 200);
}

/** Git in the folders of PATH: those with an absolute path, outside of the repository. */
async function programIn(env: Run['runtime']['env'], root: string): Promise<string | undefined> {
  const real = await realpath(root);
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || isInside(real, target)) continue;
    if (await isProgram(path)) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return isExecutable && (await stat(path)).isFile();
}
