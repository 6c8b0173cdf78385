import type { Diagnostic } from '../findings/diagnostic.ts';
import { globMatcher } from '../model/glob.ts';
import { hide } from '../model/secret.ts';
import { isDefault, valuesIn } from './entry.ts';
import type { ReferenceTable, ResolvedConfig } from './resolve.ts';

type Found = ReturnType<ReferenceTable['env']['get']> & object;

/** What these variables mean; others than ours only where a glob of `allowEnv` allows them. An empty one counts as missing. */
export function variablesIn(
  env: Readonly<Record<string, string | undefined>>,
  names: Iterable<string>,
  allowEnv: readonly string[],
): ReferenceTable['env'] {
  const allowed = ['SETPOINT_*', ...allowEnv].map(globMatcher);
  return new Map(
    [...names].map((name): [string, Found] => {
      if (!allowed.some((matches) => matches(name))) return [name, { reason: 'forbidden' }];
      const text = (Object.hasOwn(env, name) && env[name]) || '';
      return [name, text === '' ? { reason: 'missing' } : { text: hide(text) }];
    }),
  );
}

/**
 * The missing references in the entries that a glob selects by name, and in defaults, which may apply to any; without a glob
 * in all entries. No server is needed for it.
 */
export function missingReferences(entries: ResolvedConfig, only = '*'): Diagnostic[] {
  const matches = globMatcher(only);
  return entries
    .filter((entry) => matches(entry.name) || isDefault(entry))
    .flatMap(valuesIn)
    .flatMap(({ problems }) => problems);
}
