import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { isSecret, isSecretType } from '../../core/model/secrecy.ts';
import { reveal } from '../../core/model/secret.ts';
import { textsOf } from '../../core/model/value.ts';
import type { Run } from '../run.ts';

/** A value that a server shows or is to hold, and what shows whether it is a secret. */
interface Candidate {
  readonly key: string;
  readonly type: string | undefined;
  readonly mark: boolean | undefined;
  /** Whether a part of it comes from the environment or a file, and is known already. */
  readonly isFromOutside?: boolean;
  readonly value: Parameters<typeof textsOf>[0];
}

/**
 * Remembers the secrets that a server shows and those that are to be written, so that no message repeats them. A text that a
 * person marked as no secret is one only where more than its looks says so.
 */
export function rememberSecrets(
  run: Run,
  live: readonly LiveIntegration[],
  desired: DesiredState,
): readonly string[] {
  const candidates = candidatesOf(live, desired);
  const cleared = new Set(candidates.filter(isCleared).flatMap(({ value }) => textsOf(value)));
  const found = candidates.flatMap(({ key, type, mark, value }) => {
    if (!isSecret({ key, type, mark, values: [value] })) return [];
    const isCertain = isSecretType(type) || mark === true;
    return isCertain ? textsOf(value) : textsOf(value).filter((text) => !cleared.has(text));
  });
  run.secrets.seen(found);
  return found;
}

/** Whether a person marked a value as no secret, and nothing that counts more says otherwise. */
function isCleared({ key, type, mark, isFromOutside }: Candidate): boolean {
  return mark === false && isFromOutside !== true && !isSecret({ key, type, mark });
}

function candidatesOf(live: readonly LiveIntegration[], { integrations }: DesiredState): Candidate[] {
  const types = new Map(live.map(({ id, options }) => [id, options]));
  const marks = new Map(
    integrations.map(({ id, options }) => [
      id,
      new Map(options.map(({ key, sensitive }) => [key, sensitive])),
    ]),
  );
  const held = live.flatMap(({ id, options }) =>
    [...options.values()].flatMap(({ key, type, value }): Candidate[] =>
      value.kind === 'readable'
        ? [{ key, type, mark: marks.get(id)?.get(key), value: reveal(value.value) }]
        : [],
    ),
  );
  const written = integrations.flatMap(({ id, options }) =>
    options.flatMap(({ key, sensitive: mark, value }): Candidate[] => {
      if (value === undefined) return [];
      const type = types.get(id)?.get(key)?.type;
      return [{ key, type, mark, isFromOutside: value.isFromOutside, value: reveal(value.value) }];
    }),
  );
  return [...held, ...written];
}
