import { globMatcher } from '../model/glob.ts';
import { ownValue } from '../model/json.ts';
import { hide } from '../model/secret.ts';
import type { FoundVariable, ReferenceTable } from './resolve.ts';
import type { OutsidePart } from './template.ts';

/** Configuration may read environment variables with these names without --allow-env. */
const ALLOWED_PREFIX = 'SETPOINT_';

/** The names of the references of one kind, each once. */
export function namesOf(wanted: readonly OutsidePart[], kind: OutsidePart['kind']): string[] {
  return [...new Set(wanted.filter((each) => each.kind === kind).map(({ name }) => name))];
}

/** What these variables mean in an environment; others than ours only where a glob of `allowEnv` allows them. */
export function variablesIn(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  allowEnv: readonly string[],
): ReferenceTable['env'] {
  const allowed = allowEnv.map(globMatcher);
  return new Map(
    names.map((name): [string, FoundVariable] => {
      if (!name.startsWith(ALLOWED_PREFIX) && !allowed.some((matches) => matches(name)))
        return [name, { reason: 'forbidden' }];
      const text = ownValue(env, name) ?? '';
      return [name, text === '' ? { reason: 'missing' } : { text: hide(text) }];
    }),
  );
}

/** The text of a referenced file: one newline at its end is dropped. */
export function fileText(content: string): string {
  return content.replace(/\r?\n$/, '');
}

/** A file by its text. As with an empty variable: a secret that was not filled in must not empty the one on the server. */
export function foundFile(text: string) {
  return text === '' ? { reason: 'it is empty' } : { text: hide(text) };
}
