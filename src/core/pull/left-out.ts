import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { addressOf, type Subject } from '../model/subject.ts';
import type { WrittenEntry } from './entry.ts';
import { NOT_SET_HERE } from './overlay.ts';
import type { Pairing } from './pair.ts';
import type { LeftOut, Proven } from './prove.ts';
import { isHeldSecret, showsSecrets } from './variables.ts';

/** An integration, and the name of its new entry. */
export interface Named {
  readonly integration: LiveIntegration;
  readonly name: string;
}

/** All that is not written, and why. */
export function leftOutFrom(
  live: readonly LiveIntegration[],
  meant: readonly Named[],
  { entries, gone }: Proven,
  paired: readonly Named[],
): LeftOut[] {
  return [
    ...unsafeIn(live),
    ...gone,
    ...leftOutOf(entries),
    ...unshownIn(meant),
    ...ownedIn([...meant, ...paired]),
  ];
}

/** Integrations by the names of the entries that mean them. */
export function namesOf(pairing: Pairing | undefined): Named[] {
  const named: Named[] = [];
  for (const { entry, integration } of pairing?.pairs ?? [])
    named.push({ integration, name: entry.name });
  return named;
}

/** The integrations that no request can name. */
function unsafeIn(live: readonly LiveIntegration[]): LeftOut[] {
  const unsafe = live.filter(({ id }) => !isPathSafe(id));
  const reason = 'its id cannot be a part of a path';
  return unsafe.map(({ id }) => ({ address: id, reason }));
}

/** The fields that stand in comments of entries, or are taken back. */
function leftOutOf(entries: readonly WrittenEntry[]): LeftOut[] {
  const fields: LeftOut[] = [];
  for (const { name, options } of entries)
    for (const { key, notes, remark } of options) {
      const option = `${name}.options.${key}`;
      if (remark === NOT_SET_HERE)
        fields.push({ address: `${option}.value`, reason: remark });
      for (const { field, text, isLeftOut } of notes) {
        if (!isLeftOut) continue;
        fields.push({ address: `${option}.${field}`, reason: text });
      }
    }
  return fields;
}

/** The options that the server lists, but shows nothing of. */
function unshownIn(meant: readonly Named[]): LeftOut[] {
  const reason = 'the server lists them, but does not show them';
  const unshown: LeftOut[] = [];
  for (const { integration, name } of meant)
    for (const key of integration.optionKeys) {
      if (integration.options.has(key)) continue;
      unshown.push({ address: `${name}.options.${key}`, reason });
    }
  return unshown;
}

/** The secrets that are set, but are each user's own. */
function ownedIn(named: readonly Named[]): LeftOut[] {
  const reason = "secrets that are each user's own";
  const owned: LeftOut[] = [];
  for (const { integration, name } of named)
    for (const option of integration.options.values()) {
      if (option.permission !== 'user-provides' || !isHeldSecret(option))
        continue;
      owned.push({ address: `${name}.options.${option.key}.value`, reason });
    }
  return owned;
}

/** The secrets that read as empty; none if the server shows or masks any. */
export function emptySecretsIn(
  meant: readonly Named[],
  live: readonly LiveIntegration[],
): Subject[] {
  if (showsSecrets(live)) return [];
  const empty: Subject[] = [];
  for (const { integration, name } of meant)
    for (const { key, type, permission } of integration.options.values()) {
      const isOwn = permission === 'user-provides';
      if (isOwn || !isSecret({ key, type })) continue;
      empty.push({ kind: 'value', integration: name, option: key });
    }
  return empty;
}

/** Tells the values that an overlay takes back, as they are not set. */
export function isTakenBackIn(
  entries: readonly WrittenEntry[],
): (subject: Subject) => boolean {
  const fields = new Set<string>();
  for (const { name, options } of entries)
    for (const { key, remark } of options) {
      if (remark !== NOT_SET_HERE) continue;
      fields.add(addressOf({ kind: 'value', integration: name, option: key }));
    }
  return (subject) => fields.has(addressOf(subject));
}
