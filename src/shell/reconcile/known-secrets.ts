import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { isSecret } from '../../core/model/secrecy.ts';
import { reveal } from '../../core/model/secret.ts';
import { textsOf } from '../../core/model/value.ts';
import type { Run } from '../run.ts';

/**
 * The secrets that a server shows and those that are to be written, also where they are in clear or a fallback: none of
 * them may come back out of a message.
 */
export function rememberSecrets(
  run: Run,
  live: readonly LiveIntegration[],
  desired: DesiredState,
): readonly string[] {
  const types = new Map(live.map(({ id, options }) => [id, options]));
  const written = desired.integrations.flatMap(({ id, options }) =>
    options.map(({ key, sensitive: mark, value }) => ({
      clues: { key, type: types.get(id)?.get(key)?.type, mark },
      values: value === undefined ? [] : [reveal(value.value)],
    })),
  );
  const marks = new Map(
    desired.integrations.map(({ id, options }) => [
      id,
      new Map(options.map(({ key, sensitive }) => [key, sensitive])),
    ]),
  );
  const held = live.flatMap(({ id, options }) =>
    [...options.values()].map(({ key, type, value }) => ({
      clues: { key, type, mark: marks.get(id)?.get(key) },
      values: value.kind === 'readable' ? [value.value] : [],
    })),
  );
  const secrets = [...held, ...written].filter(({ clues, values }) => isSecret({ ...clues, values }));
  const found = secrets.flatMap(({ values }) => values.flatMap(textsOf));
  for (const text of found) run.secrets.add(text);
  return found;
}
