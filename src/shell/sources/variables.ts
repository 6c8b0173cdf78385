import { dirname, relative, resolve } from 'node:path';
import { parseDotenv } from '../../core/config/dotenv.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import type { Place } from '../../core/model/place.ts';
import { fail } from '../failure.ts';
import { openRepository } from '../git/git.ts';
import { gitRoot, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import type { NamedFile } from './config.ts';
import { type FileText, readTextFile, unreadable } from './files.ts';

/** The texts that references and logins read, by the names of variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The most bytes of a file with variables. */
const LARGEST_FILE = 1024 * 1024;

/**
 * Reads files that flags name, in dotenv format. The first file that sets a
 * variable counts, and each before the environment. Fails if one cannot be
 * read.
 */
export async function readVariables(
  run: Run,
  paths: readonly string[],
): Promise<Variables> {
  const { env, cwd } = run.runtime;
  let variables: Variables = env;
  const diagnostics: Diagnostic[] = [];
  for (const path of paths.toReversed()) {
    const absolute = resolve(cwd, path);
    keepFromReferences(run, absolute);
    const content = await readTextFile(run, absolute, { most: LARGEST_FILE });
    if ('reason' in content) {
      diagnostics.push(unreadable(path, content));
      continue;
    }
    const { value, diagnostics: flaws } = withText(variables, content, path);
    diagnostics.push(...flaws);
    variables = value;
  }
  if (diagnostics.length > 0) fail(...diagnostics);
  return variables;
}

/**
 * Puts the variables of a text that are set over others; `place` is where YAML
 * names its file.
 */
function withText(
  variables: Variables,
  { text }: FileText,
  path: string,
  place?: Place,
): Required<Checked<Variables>> {
  const { variables: own, flaws } = parseDotenv(text);
  const value: Record<string, string | undefined> = { ...variables };
  for (const [name, held] of own) {
    if (held !== '') value[name] = held;
  }
  const diagnostics = flaws.map(({ line, ...flaw }) =>
    unreadable(path, flaw, place ?? { file: path, line, column: 1 }),
  );
  return { value, diagnostics };
}

/**
 * Puts the variables of a `secretsFile` over others. One that is absent is no
 * error, since pipelines set variables; one that git tracks is.
 */
export async function withSecretsFile(
  run: Run,
  variables: Variables,
  file: NamedFile,
): Promise<Checked<Variables>> {
  const { path, base, root, place } = file;
  const absolute = resolve(base, path);
  const bounds = { most: LARGEST_FILE, root, isOfSecrets: true };
  const content = await readTextFile(run, absolute, bounds);
  if ('reason' in content) {
    if (content.code === 'ENOENT') return { value: variables, diagnostics: [] };
    return { diagnostics: [unreadable(path, content, place)] };
  }
  if (await isTracked(run, absolute)) {
    const reason = 'it holds secrets, and git tracks it';
    const hint = `Take it out of git (git rm --cached ${path}), add it to .gitignore, and replace the secrets in it.`;
    return { diagnostics: [unreadable(path, { reason, hint }, place)] };
  }
  return withText(variables, content, path, place);
}

/** Whether git tracks a file; never outside of a work tree. */
async function isTracked(run: Run, absolute: string): Promise<boolean> {
  const root = gitRoot(dirname(absolute));
  if (root === undefined) return false;
  const { ask } = openRepository(run, root);
  const path = `:(literal)${relative(root, absolute)}`;
  return (await ask(['ls-files', '--', path])).length > 0;
}

/** Keeps `${file:}` from reading a file with the secrets of a server. */
export function keepFromReferences(run: Run, absolute: string): void {
  run.secretFiles.add(realPath(absolute));
}
