import type { FieldName } from '../model/address.ts';
import type { LiveIntegration } from '../model/live.ts';
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
  const live: Partial<LiveIntegration> = target.installed ?? {};
  const { id, name: displayName, acronym, description, status, errorCount: errors } = live;
  const isAsked = fields.some(({ field }) => field === 'autosubscribe');
  const autosubscribe = isAsked ? showField(server, target, { field: 'autosubscribe' }) : undefined;
  return {
    name: target.name,
    ...present({ id, displayName, acronym, description, status, errors }),
    entries: entriesOf(server, target),
    ...present({ autosubscribe }),
    options: target.keys.flatMap((key) => showOption(server, target, fields, key)),
  };
}

/** The entries that hold for it, specific ones first. */
function entriesOf({ merged }: KnownServer, { holding }: Target): ShownIntegration['entries'] {
  const places = new Map(merged.entries.map(({ name, match, place }) => [name, match?.place ?? place]));
  return holding
    .toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault))
    .flatMap((held) => {
      const source = places.get(held.entry);
      return source === undefined ? [] : [{ ...held, source }];
    });
}

function showOption(
  server: KnownServer,
  target: Target,
  fields: readonly FieldName[],
  option: string,
): ShownOption[] {
  const [value, permission] = (['value', 'permission'] as const).map((field) => {
    const isAsked = fields.some((name) => name.field === field && name.option === option);
    return isAsked ? showField(server, target, { field, option }) : undefined;
  });
  const { type, multiple, title, description, choices } = target.installed?.options.get(option) ?? {};
  const about = present({ type, multiple, title, description, choices });
  return value || permission ? [{ option, ...about, ...present({ value, permission }) }] : [];
}
