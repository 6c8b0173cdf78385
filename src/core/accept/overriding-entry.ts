import type { Entry } from '../config/entry.ts';
import { LiveIndex } from '../match/live-index.ts';
import { NarrowMatches } from '../match/narrow.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { EditedServer, WantedField } from './editing.ts';
import { placeKey, type Reading } from './reading.ts';

/** The entry to make for an integration that defaults alone cover: a name and a glob that outlast an upgrade, as `pull` has them. */
export function newEntry(
  { server: { planned }, reading }: { readonly server: EditedServer; readonly reading: Reading },
  id: string,
): { readonly entry: string; readonly match?: string } {
  const all = planned?.live ?? [];
  const meant = all.find((each) => each.id === id);
  const match = meant && new NarrowMatches(new LiveIndex(all)).globOf(meant);
  if (match === undefined || match === id) return { entry: id };
  const entry = baseOfId(id)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const isTaken =
    reading.config.some(({ name }) => name.toLowerCase() === entry) || all.some((each) => each.id === entry);
  return isTaken ? { entry: id } : { entry, match };
}

/** The entry to override a field in: the one that declares it, or the one that has the name of the integration where defaults do. */
export function declaringEntry({ config }: Reading, { name, path, place }: WantedField) {
  const isHere = (entry: Entry<unknown>) => {
    const option = path[0] === 'options' ? entry.options.get(path[1]) : undefined;
    const field = path[0] === 'autosubscribe' ? entry.autosubscribe : option?.[path[2]];
    return field !== undefined && placeKey(field.place, field.place.file) === placeKey(place, place.file);
  };
  const found = config.filter(isHere);
  const own = found.find((entry) => entry.name === name);
  const isDefault = own === undefined && found.some(({ expect }) => expect?.value === 'any');
  const other = own ?? (isDefault ? undefined : found[0]);
  return { entry: other?.name ?? name, isDefault };
}
