import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { type Clues, isSecret } from '../../core/model/secrecy.ts';
import { reveal } from '../../core/model/secret.ts';
import { textsOf } from '../../core/model/value.ts';
import type { Run } from '../run.ts';

/** Remembers the secrets that a server shows and those that are to be written, so that no message repeats them. */
export function rememberSecrets(
  run: Run,
  live: readonly LiveIntegration[],
  desired: DesiredState,
): readonly string[] {
  const types = new Map(live.map(({ id, options }) => [id, options]));
  const marks = new Map(
    desired.integrations.map(({ id, options }) => [
      id,
      new Map(options.map(({ key, sensitive }) => [key, sensitive])),
    ]),
  );
  const held = live.flatMap(({ id, options }) =>
    [...options.values()].flatMap(({ key, type, value }) =>
      value.kind === 'readable'
        ? secretTexts({ key, type, mark: marks.get(id)?.get(key) }, reveal(value.value))
        : [],
    ),
  );
  const desiredTexts = desired.integrations.flatMap(({ id, options }) =>
    options.flatMap(({ key, sensitive: mark, value }) => {
      const type = types.get(id)?.get(key)?.type;
      return value === undefined ? [] : secretTexts({ key, type, mark }, reveal(value.value));
    }),
  );
  const found = [...held, ...desiredTexts];
  run.secrets.seen(found);
  return found;
}

function secretTexts(clues: Clues, value: Parameters<typeof textsOf>[0]): readonly string[] {
  return isSecret({ ...clues, values: [value] }) ? textsOf(value) : [];
}
