import { grouped } from '../model/grouped.ts';
import { isSecretOption } from '../model/secrecy.ts';
import type { WrittenConfig } from './entry.ts';
import { namesIn } from './template.ts';

/**
 * The named values that are or hold secrets: those whose names say so, those that secret options refer to, all that these
 * refer to, and what refers to any of them. `others` are known to be such from elsewhere.
 */
export function secretNames(
  { values, entries }: WrittenConfig,
  others: readonly string[] = [],
): ReadonlySet<string> {
  const uses = new Map([...values].map(([name, { value }]) => [name, value === null ? [] : namesIn(value)]));
  const links = [...uses].flatMap(([user, used]) => used.map((name) => ({ name, user })));
  const users = new Map(
    [...grouped(links, ({ name }) => name)].map(([name, all]) => [name, all.map(({ user }) => user)]),
  );
  const options = entries.flatMap((entry) => [...entry.options.values()]);
  const secret = options.filter(({ key, sensitive }) => sensitive?.value ?? isSecretOption(key, undefined));
  const starts = [
    ...others,
    ...[...values.keys()].filter((name) => isSecretOption(name, undefined)),
    ...secret.flatMap(({ value }) => (value?.value ? namesIn(value.value) : [])),
  ];
  return reached(reached(starts, uses), users);
}

/** The names that some lead to, and these themselves. */
function reached(
  starts: Iterable<string>,
  next: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(starts);
  // A set tells also what is added while it is gone through.
  for (const name of found) for (const each of next.get(name) ?? []) found.add(each);
  return found;
}
