import type { ExecFileException } from 'node:child_process';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { cut } from '../../core/findings/words.ts';
import { errorCode, fail } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';

/** A repository with a work tree. Git reads it, without a shell. */
export interface Repository {
  /** The folder of its work tree. */
  root: string;
  /** Calls git. Fails if git cannot read the repository, or the run ends. */
  call: Call<ProgramEnd>;
  /** Calls git, fails unless it succeeds, and returns what it prints. */
  ask: Call<Buffer>;
  /** Runs a command of the user in the work tree, as git runs filters. */
  filter: (command: string, input: Buffer) => Promise<ProgramEnd>;
}

type Call<Result> = (
  args: readonly string[],
  options?: CallOptions,
) => Promise<Result>;

interface CallOptions {
  /** What git reads from stdin. */
  input?: string | undefined;
  /** Whether git has the settings of the user. */
  isUsers?: boolean | undefined;
}

/** How a program ended. */
interface ProgramEnd {
  /** Undefined if it did not end by itself. */
  code: number | undefined;
  bytes: Buffer;
  /** Why there is no good answer, in words. */
  reason: string;
}

/** Opens the repository whose work tree is `root`. */
export function openRepository(run: Run, root: string): Repository {
  const { runtime, interruption } = run;
  const PATH = safeFolders(runtime.env['PATH'] ?? '', root);
  const signal = interruption.stopping;
  const users = { ...userEnvironment(runtime.env), PATH };
  const call: Call<ProgramEnd> = async (args, options) => {
    const end = await runProgram('git', [...gitFlags(root), ...args], {
      input: options?.input,
      env: options?.isUsers === true ? users : { ...ENVIRONMENT, PATH },
      cwd: parse(root).root,
      signal,
    });
    if (end.code === undefined) {
      interruption.check();
      return failGit(end.reason);
    }
    // With the same code git says `fatal: `, or nothing, of an unknown name.
    if (end.reason.startsWith('error: ')) return failGit(end.reason);
    return end;
  };
  const ask: Call<Buffer> = async (args, options) => {
    const { code, bytes, reason } = await call(args, options);
    return code === 0 ? bytes : failGit(reason);
  };
  const filter = async (
    command: string,
    input: Buffer,
  ): Promise<ProgramEnd> => {
    const options = { input, env: users, cwd: root, signal };
    const end = await runProgram('sh', ['-c', command], options);
    interruption.check();
    return end;
  };
  return { root, call, ask, filter };
}

/** Leaves in PATH the folders that are absolute, and not in `root`. */
function safeFolders(path: string, root: string): string {
  const realRoot = realPath(root);
  const folders: string[] = [];
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const real = realPath(folder);
    if (real !== realRoot && !isInside(realRoot, real)) folders.push(folder);
  }
  // An empty PATH would mean the working directory.
  return folders.join(delimiter) || '/nowhere';
}

function failGit(reason: string): never {
  const problem = `git cannot read the repository: ${reason}`;
  const hint = `${REFETCH} Elsewhere run git fsck, or clone the repository again.`;
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** How a partial clone gets what it lacks. */
export const REFETCH =
  'In a partial clone: git fetch --refetch --no-filter origin.';

/**
 * All of the environment that git gets: no secret, no program, no settings of
 * the user or the system, no history but that of commits, nothing to fetch
 * from.
 */
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
} as const;

/**
 * The environment for the settings and the filters of the user: without secrets
 * of setpoint, and without another repository.
 */
function userEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = env;
  const passed = Object.entries(env).filter(
    ([name]) => !/^(SETPOINT_|GIT_(?!CONFIG))/.test(name),
  );
  return {
    ...Object.fromEntries(passed),
    ...ENVIRONMENT,
    GIT_CONFIG_GLOBAL,
    GIT_CONFIG_NOSYSTEM,
  };
}

/** The flags of every call of git; attributes need the work tree. */
function gitFlags(root: string): string[] {
  const paths = ['--git-dir', join(root, '.git'), '--work-tree', root];
  // This setting starts a program.
  return ['-C', root, ...paths, '-c', 'core.fsmonitor=false'];
}

/** Milliseconds that a program may take: git reads local objects. */
const MOST_TIME = 30_000;

/** The most bytes that a program may print: all files of a commit. */
const MOST_BYTES = 256 * 1024 * 1024;

interface ProgramOptions {
  input: string | Buffer | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Kills the program when it is aborted. */
  signal: AbortSignal;
}

function runProgram(
  program: string,
  args: readonly string[],
  { input = '', env, cwd, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  const options = {
    env,
    cwd,
    signal,
    encoding: 'buffer',
    timeout: MOST_TIME,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_BYTES,
  } as const;
  return new Promise((resolve) => {
    const { execFile } = process.getBuiltinModule('node:child_process');
    const child = execFile(program, args, options, (error, bytes, talk) => {
      if (error === null) return resolve({ code: 0, bytes, reason: '' });
      const code = typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, bytes, reason: reasonOf(error, talk) });
    });
    // It may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function reasonOf(error: ExecFileException, complaint: Buffer): string {
  if (errorCode(error) === 'ENOENT') {
    return 'it was not found in the absolute folders of PATH outside of the repository';
  }
  if (errorCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return 'it holds more than setpoint reads';
  }
  if (error.killed === true) return `it took more than ${MOST_TIME / 1000} s`;
  const lines = complaint.toString().trim().split('\n');
  const line = lines.find((text) => text.startsWith('fatal: ')) ?? lines[0];
  if (!line) return 'it gave no reason';
  return cut(line.replace(/^fatal: /, ''), undefined, 200);
}
