import { resolve } from 'node:path';
import pMap from 'p-map';
import type { FoundVariable, ReferenceTable } from '../../core/config/resolve.ts';
import type { OutsidePart } from '../../core/config/template.ts';
import { globMatcher } from '../../core/model/glob.ts';
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
  const texts = await pMap(
    names('file'),
    async (name) => [name, await readConfined(run, root, name)] as const,
    { concurrency: CONCURRENCY },
  );
  for (const [, found] of [...env, ...texts]) if ('text' in found) run.secrets.given(found.text);
  return { env: new Map(env), file: new Map(texts) };
}

/** A regular file inside the root, links resolved, of 1 byte to 64 KiB; one newline at its end is dropped. */
async function readConfined(
  run: Run,
  root: string,
  name: string,
): Promise<{ readonly text: Secret<string> } | Unread> {
  const found = await readSmallText(run, resolve(root, name), { root });
  if (!('text' in found)) return found;
  // As with an empty variable: a secret that was not filled in must not empty the one on the server.
  return found.text === '' ? { reason: 'it is empty' } : { text: hide(found.text) };
}
