import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { WrittenField } from '../core/config/entry.ts';
import type { MergedConfig, MergedEntry } from '../core/config/layers.ts';
import type { OutsideReference, ReferenceTable } from '../core/config/resolve.ts';
import { outsideReferences, type ResolvedValue, resolveValues } from '../core/config/resolve.ts';
import type { Diagnostic } from '../core/findings/diagnostic.ts';
import type { WrittenValue } from '../core/model/desired.ts';
import { globMatcher } from '../core/model/glob.ts';
import { Failure, systemReason } from './failure.ts';
import { isInside, readSmallText } from './regular-file.ts';
import { refuseReportOnto } from './report-target.ts';
import type { Run } from './run.ts';

/** Names of environment variables that configuration may read without further permission. */
const ALLOWED_PREFIX = 'SETPOINT_';

/** The values of a configuration as far as they could be resolved. */
export interface ResolvedReferences {
  readonly values: ReadonlyMap<WrittenField, ResolvedValue>;
  /** What cannot be resolved of these entries. */
  readonly missingIn: (entries: readonly MergedEntry[]) => readonly Diagnostic[];
}

/**
 * Resolves the references of all managed values. Fails with every one that is missing among the `needed` entries; a value
 * of another entry that cannot be resolved is left out of the result. `root` confines `file`.
 */
export async function resolveReferences(
  run: Run,
  config: MergedConfig,
  needed: MergedConfig,
  allowEnv: readonly string[],
  root: string,
): Promise<ResolvedReferences> {
  const table = await readReferences(run, outsideReferences(config), allowEnv, root);
  const { diagnostics } = resolveValues(needed, table);
  if (diagnostics.length > 0) throw new Failure(diagnostics);
  const { value } = resolveValues(config, table);
  // A fallback is no secret of the run: it stands in the YAML. Where its option holds a secret, that is found there.
  for (const resolved of value.values()) if (resolved.secret === true) rememberSecret(run, resolved.value);
  return { values: value, missingIn: (entries) => resolveValues({ ...config, entries }, table).diagnostics };
}

/**
 * What a reference gave must not come back out of an error message. Of selects and lists the parts that came from outside
 * are known by themselves; the others are no secrets.
 */
export function rememberSecret(run: Run, value: WrittenValue): void {
  if (typeof value === 'string') run.secrets.add(value);
}

/** What the environment and files hold for references; what is not there is told in the table. `root` confines files. */
export async function readReferences(
  run: Run,
  wanted: readonly OutsideReference[],
  allowEnv: readonly string[],
  root: string,
): Promise<ReferenceTable> {
  const names = (kind: OutsideReference['kind']) => [
    ...new Set(wanted.filter((each) => each.kind === kind).map(({ name }) => name)),
  ];
  const allowed = allowEnv.map(globMatcher);
  const env = names('env').map((name): [string, { text: string } | { reason: 'missing' | 'forbidden' }] => {
    if (!name.startsWith(ALLOWED_PREFIX) && !allowed.some((matches) => matches(name)))
      return [name, { reason: 'forbidden' }];
    const text = run.runtime.env[name] ?? '';
    return [name, text === '' ? { reason: 'missing' } : { text }];
  });
  for (const name of names('file')) await refuseReportOnto(run.reportFiles, resolve(root, name));
  const texts = await Promise.all(
    names('file').map(async (name) => [name, await readConfined(root, name)] as const),
  );
  for (const [, found] of env) if ('text' in found) run.secrets.add(found.text);
  for (const [, found] of texts) if ('text' in found) run.secrets.add(found.text);
  return { env: new Map(env), file: new Map(texts) };
}

/** A regular file inside the root, links resolved, of 1 byte to 64 KiB; one newline at its end is dropped. */
async function readConfined(root: string, name: string): Promise<{ text: string } | { reason: string }> {
  try {
    const [base, path] = await Promise.all([realpath(root), realpath(resolve(root, name))]);
    if (!isInside(base, path)) return { reason: 'it is outside the configuration folder' };
    const found = await readSmallText(path);
    // Like an empty variable: a secret that was not filled in must not empty the one that is there.
    return 'text' in found && found.text === '' ? { reason: 'it is empty' } : found;
  } catch (thrown) {
    return { reason: systemReason(thrown) };
  }
}
