import type { FieldName } from '../model/address.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { showField } from './field.ts';
import type { KnownServer } from './server.ts';
import type { ShownIntegration, ShownOption } from './shown.ts';
import type { Target } from './targets.ts';

/** Some fields of an integration, with what is known of it and its options. */
export function showIntegration(
  server: KnownServer,
  target: Target,
  fields: readonly FieldName[],
): ShownIntegration {
  const { installed, keys } = target;
  const isAsked = fields.some(({ field }) => field === 'autosubscribe');
  const autosubscribe = isAsked ? showField(server, target, { field: 'autosubscribe' }) : undefined;
  return {
    name: target.name,
    ...(installed === undefined ? {} : headOf(installed)),
    entries: entriesOf(server, target),
    ...present({ autosubscribe }),
    options: keys.flatMap((key) => showOption(server, target, fields, key)),
  };
}

function headOf({ id, name: displayName, errorCount: errors, ...live }: LiveIntegration) {
  const { acronym, description, status } = live;
  return { id, ...present({ displayName, acronym, description, status, errors }) };
}

function entriesOf({ merged }: KnownServer, { holding }: Target): ShownIntegration['entries'] {
  const places = new Map(merged.entries.map(({ name, match, place }) => [name, match?.place ?? place]));
  const specificFirst = holding.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault));
  return specificFirst.flatMap((held) => {
    const source = places.get(held.entry);
    return source === undefined ? [] : [{ ...held, source }];
  });
}

function showOption(
  server: KnownServer,
  target: Target,
  fields: readonly FieldName[],
  key: string,
): ShownOption[] {
  const own = fields.filter((name) => name.field !== 'autosubscribe' && name.option === key);
  if (own.length === 0) return [];
  const shown = (field: FieldName['field']) => {
    const name = own.find((each) => each.field === field);
    return name && showField(server, target, name);
  };
  const about = aboutOption(target.installed?.options.get(key));
  return [{ option: key, ...about, ...present({ value: shown('value'), permission: shown('permission') }) }];
}

function aboutOption(live: LiveOption | undefined): Partial<ShownOption> {
  if (live === undefined) return {};
  const { type, multiple, title, description, choices } = live;
  return present({ type, multiple, title, description, choices: choices.length === 0 ? undefined : choices });
}
