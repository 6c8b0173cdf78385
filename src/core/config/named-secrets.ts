import { isSecretOption } from '../model/secrecy.ts';
import type { WrittenConfig } from './entry.ts';
import { namesIn } from './template.ts';

/** The named values that are secrets: by their names, by the secret options that use them, or in `others`. */
export function secretNames(
  { values, entries }: WrittenConfig,
  others: readonly string[] = [],
): ReadonlySet<string> {
  const options = entries.flatMap((entry) => [...entry.options.values()]);
  const secret = options.filter(({ key, sensitive }) => sensitive?.value ?? isSecretOption(key, undefined));
  return new Set([
    ...others,
    ...[...values.keys()].filter((name) => isSecretOption(name, undefined)),
    ...secret.flatMap(({ value }) => (value?.value ? namesIn(value.value) : [])),
  ]);
}
