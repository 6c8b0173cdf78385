import type { DesiredOption, DesiredState } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isSecret, isSecretType, type Told, toldOf } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { textsOf } from '../model/value.ts';

/** A value that a server shows or is to hold, and what shows whether it is a secret. */
interface Candidate extends Told {
  readonly key: string;
  readonly type: string | undefined;
  /** Whether the base alone takes it from outside: what a reference of this run means is known already. */
  readonly wasFromOutside: boolean;
  readonly value: Parameters<typeof textsOf>[0];
}

/**
 * The secrets that a server shows and those that are to be written. A text that a person marked as no secret is one only where
 * more than its looks says so.
 */
export function secretsIn(live: readonly LiveIntegration[], desired: DesiredState): readonly string[] {
  const candidates = candidatesOf(live, desired);
  const cleared = new Set(candidates.filter(isCleared).flatMap(({ value }) => textsOf(value)));
  return candidates.flatMap(({ key, type, mark, wasFromOutside, value }) => {
    if (!isSecret({ key, type, mark, isFromOutside: wasFromOutside, values: [value] })) return [];
    const isCertain = isSecretType(type) || mark === true || wasFromOutside;
    return isCertain ? textsOf(value) : textsOf(value).filter((text) => !cleared.has(text));
  });
}

function fallbacksIn(reference = ''): readonly string[] {
  return [...reference.matchAll(/:-([^}]+)\}/g)].map(([, fallback = '']) => fallback);
}

/** Whether a person marked a value as no secret, and nothing that counts more says otherwise. */
function isCleared({ key, type, mark, isFromOutside }: Candidate): boolean {
  return mark === false && isFromOutside !== true && !isSecret({ key, type, mark });
}

function candidatesOf(live: readonly LiveIntegration[], { integrations }: DesiredState): Candidate[] {
  const types = new Map(live.map(({ id, options }) => [id, options]));
  const declared = new Map(
    integrations.map(({ id, options }) => [id, new Map(options.map((each) => [each.key, each]))]),
  );
  const held = live.flatMap(({ id, options }) =>
    [...options.values()].flatMap(({ key, type, value }): Candidate[] =>
      value.kind === 'readable'
        ? [{ key, type, ...toldFor(declared.get(id)?.get(key)), value: reveal(value.value) }]
        : [],
    ),
  );
  const written = integrations.flatMap(({ id, options }) =>
    options.flatMap((option): Candidate[] => {
      const { key, value } = option;
      if (value === undefined) return [];
      const type = types.get(id)?.get(key)?.type;
      // Of references that were not read only the fallbacks are values.
      const written = value.unread === true ? fallbacksIn(value.reference) : reveal(value.value);
      return [{ key, type, ...toldFor(option), value: written }];
    }),
  );
  return [...held, ...written];
}

function toldFor(option: DesiredOption | undefined) {
  const { mark, isFromOutside } = option === undefined ? {} : toldOf(option);
  return { mark, isFromOutside, wasFromOutside: isFromOutside === true && !option?.value?.isFromOutside };
}
