import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { cut } from '../../core/findings/words.ts';
import { errorCode, fail } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';

/** Milliseconds that one call of git may take: it reads objects of this machine. */
const MOST_TIME = 30_000;

/** The most bytes that git may print about a repository itself. */
const MOST_TALK = 64 * 1024;

/** What a call of git reads from stdin, and the most bytes of its answer. */
interface Limits {
  readonly input?: string;
  readonly most?: number;
}

/** How a call of git ended. */
interface Answer {
  /** Undefined if it did not end by itself. */
  readonly code: number | undefined;
  readonly bytes: Buffer;
  /** Why there is no good answer, in words. */
  readonly reason: string;
}

/** The repository whose work tree has this root. Fails if there is no git to read it. */
export async function openRepository(
  { runtime, interruption }: Run,
  root: string,
) {
  const program = await programIn(runtime.env['PATH'] ?? '', root);
  if (program === undefined) {
    const problem = 'git was not found in the folders of PATH';
    const hint =
      'Install git, or name its folder in PATH by an absolute path outside of the repository.';
    return fail(diagnostic('no-revision', { problem, hint }));
  }
  /** Calls git without a shell, outside of any folder of the repository. Fails if git cannot read it, or the run ends. */
  const call = async (args: readonly string[], limits?: Limits) => {
    // The setting names a program that git starts when it reads its index.
    const all = [
      '--git-dir',
      join(root, '.git'),
      '-c',
      'core.fsmonitor=false',
      ...args,
    ];
    const answer = await callGit(
      program,
      parse(root).root,
      all,
      interruption.stopping,
      limits,
    );
    if (answer.code === undefined) interruption.check();
    // It ends the same way if a name means nothing, but then says `fatal: `, or nothing.
    const isBroken =
      answer.code === undefined || answer.reason.startsWith('error: ');
    return isBroken ? failGit(answer.reason) : answer;
  };
  /** Calls git, and fails unless it succeeds. */
  const ask = async (args: readonly string[], limits?: Limits) => {
    const { code, bytes, reason } = await call(args, limits);
    return code === 0 ? bytes : failGit(reason);
  };
  return { root, call, ask };
}

function failGit(reason: string): never {
  const hint = 'Run git fsck, or clone the repository again.';
  return fail(
    diagnostic('no-revision', {
      problem: `git cannot read the repository: ${reason}`,
      hint,
    }),
  );
}

/** All of the environment that git gets: no secret, no program, no settings of the user or the system, no history but that of commits, nothing to fetch from. */
const ENVIRONMENT = {
  PATH: '/dev/null',
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
} as const;

function callGit(
  program: string,
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  { input = '', most = MOST_TALK }: Limits = {},
): Promise<Answer> {
  const options = {
    cwd,
    signal,
    env: ENVIRONMENT,
    encoding: 'buffer',
    timeout: MOST_TIME,
    killSignal: 'SIGKILL',
    // Complaints count too.
    maxBuffer: Math.max(most, MOST_TALK),
  } as const;
  return new Promise((done) => {
    const child = execFile(
      program,
      args,
      options,
      (thrown, bytes, complaint) => {
        const code =
          thrown === null
            ? 0
            : typeof thrown.code === 'number'
              ? thrown.code
              : undefined;
        done({
          code,
          bytes,
          reason: thrown === null ? '' : reasonOf(thrown, complaint),
        });
      },
    );
    // It may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function reasonOf(
  thrown: Error & { readonly killed?: boolean | undefined },
  complaint: Buffer,
): string {
  if (errorCode(thrown) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return 'it holds more than setpoint reads';
  if (thrown.killed === true) return `it took more than ${MOST_TIME / 1000} s`;
  const [line = ''] = complaint.toString().trim().split('\n');
  return line === ''
    ? 'git gave no reason'
    : cut(line.replace(/^fatal: /, ''), undefined, 200);
}

/** Git in the folders of PATH: those with an absolute path, outside of the repository. */
async function programIn(
  path: string,
  root: string,
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    const isForeign = isInside(await realpath(root), await realPath(program));
    const found = isForeign
      ? undefined
      : await stat(program).catch(() => undefined);
    if (found?.isFile() === true) return program;
  }
  return undefined;
}
