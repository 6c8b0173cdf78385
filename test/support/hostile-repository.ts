import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempFolder } from './temp.ts';

/** Texts that must never be in an output: they are in files outside of the repository, or in the environment. */
export const OUTSIDE = 'canary-outside';
export const SECRET = 'canary-secret';

/** What a stranger puts in place of a file, by the name that it has without its ending. */
const THINGS: Readonly<
  Record<string, (path: string, folder: string) => unknown>
> = {
  pipe: (path) => execFileSync('mkfifo', [path]),
  zero: (path) => symlink('/dev/zero', path),
  stdin: (path) => symlink('/dev/stdin', path),
  environ: (path) => symlink('/proc/self/environ', path),
  out: (path, folder) => symlink(join(folder, 'outside/secret.yaml'), path),
  loop: (path) => symlink(path, path),
};

export const THING_NAMES = Object.keys(THINGS);

/** Programs that a repository could try to start, each of which only records that it was started. */
const PROGRAMS =
  'bash cat curl env gh git git-lfs gpg less make node npm npx perl python3 sh ssh vi wget'.split(
    ' ',
  );

/** A checkout of a pull request whose modules and names are traps; `files` are its own, and `traps` paths of things. */
export async function hostileRepository(
  files: Readonly<Record<string, string>>,
  traps: readonly string[] = [],
) {
  const folder = await tempFolder({
    started: '',
    'outside/secret.yaml': `version: 1\nvalues: { x: ${OUTSIDE} }\n`,
  });
  const record = join(folder, 'started');
  const recorder = (what: string) =>
    `#!/bin/sh\necho ${what} >> '${record}'\nexit 1\n`;
  const bin = join(folder, 'bin');
  for (const program of PROGRAMS)
    await put(join(bin, program), recorder(program), 0o755);
  // Control characters and a command of a CI runner, in the path of everything.
  const root = join(folder, 'fork\u001b[2J\n::error::of a fork');
  const evil = join(root, 'evil.sh');
  await put(evil, recorder('evil'), 0o755);
  const module = `require('node:fs').appendFileSync(${JSON.stringify(record)}, 'module\\n');`;
  const texts = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': `[core]\n\tfsmonitor = "${evil}"\n`,
    'submodule/.git': `gitdir: ${join(folder, 'outside')}\n`,
    'package.json': JSON.stringify({
      type: 'commonjs',
      scripts: { preinstall: evil },
      setpoint: { hook: evil },
    }),
    'node_modules/undici/index.js': module,
    'node_modules/yaml/index.js': module,
    'setpoint.config.js': module,
    '.env': `SETPOINT_ALLOWED_ORIGINS=*\nNODE_OPTIONS=--require ${evil}\n`,
    ...files,
  };
  for (const [path, text] of Object.entries(texts))
    await put(join(root, path), text);
  for (const path of traps) {
    const [name = ''] = path.split('/').at(-1)?.split('.') ?? [];
    await mkdir(dirname(join(root, path)), { recursive: true });
    await THINGS[name]?.(join(root, path), folder);
  }
  return {
    root,
    /** The only folder of PATH. */
    bin,
    /** What was started, by PATH or by a module of the repository. */
    started: () => readFile(record, 'utf8'),
    /** What is outside, to be the same afterwards. */
    outside: () => readFile(join(folder, 'outside/secret.yaml'), 'utf8'),
  };
}

async function put(path: string, text: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode });
}
