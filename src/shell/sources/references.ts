import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import pMap from 'p-map';
import type { FoundVariable, ReferenceTable } from '../../core/config/resolve.ts';
import type { OutsidePart } from '../../core/config/template.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { isPasswordFile } from '../../core/model/own-credential.ts';
import { hide, type Secret } from '../../core/model/secret.ts';
import type { Run } from '../run.ts';
import { readSmallText, type Unread } from './regular-file.ts';

/** How many files are open at once. */
const CONCURRENCY = 32;

/** Configuration may read environment variables with these names without --allow-env. */
const ALLOWED_PREFIX = 'SETPOINT_';

/** Reads what references mean from the environment and files, or why they have no value. `root` confines files. */
export async function readReferences(
  run: Run,
  wanted: readonly OutsidePart[],
  allowEnv: readonly string[],
  root: string,
): Promise<ReferenceTable> {
  const names = (kind: OutsidePart['kind']) => [
    ...new Set(wanted.filter((each) => each.kind === kind).map(({ name }) => name)),
  ];
  const allowed = allowEnv.map(globMatcher);
  const env = names('env').map((name): [string, FoundVariable] => {
    if (!name.startsWith(ALLOWED_PREFIX) && !allowed.some((matches) => matches(name)))
      return [name, { reason: 'forbidden' }];
    const text = run.runtime.env[name] ?? '';
    return [name, text === '' ? { reason: 'missing' } : { text: hide(text) }];
  });
  const passwordFiles = names('file').length === 0 ? [] : await passwordFilesOf(run);
  const texts = await pMap(
    names('file'),
    async (name) => [name, await readConfined(run, root, name, passwordFiles)] as const,
    { concurrency: CONCURRENCY },
  );
  for (const [, found] of [...env, ...texts]) if ('text' in found) run.secrets.given(found.text);
  return { env: new Map(env), file: new Map(texts) };
}

/** The files of setpoint's own passwords, links resolved. */
async function passwordFilesOf({ runtime: { env, cwd } }: Run): Promise<readonly string[]> {
  const named = Object.entries(env).flatMap(([name, path]) => (path && isPasswordFile(name) ? [path] : []));
  return Promise.all(named.map((path) => realpath(resolve(cwd, path)).catch(() => resolve(cwd, path))));
}

/**
 * A regular file inside the root, links resolved, of 1 byte to 64 KiB; one newline at its end is dropped. Git's own files may
 * hold credentials of the repository.
 */
async function readConfined(
  run: Run,
  root: string,
  name: string,
  passwordFiles: readonly string[],
): Promise<{ readonly text: Secret<string> } | Unread> {
  const except = (real: string, base: string) => {
    if ([name, relative(base, real)].some(isOfGit)) return 'it belongs to git';
    return passwordFiles.includes(real) ? 'it holds a password of setpoint itself' : undefined;
  };
  const found = await readSmallText(run, resolve(root, name), { root, except });
  if (!('text' in found)) return found;
  // As with an empty variable: a secret that was not filled in must not empty the one on the server.
  return found.text === '' ? { reason: 'it is empty' } : { text: hide(found.text) };
}

/** Whether a path is `.git` or leads through it. */
function isOfGit(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => segment.toLowerCase() === '.git');
}
