import { parseConfig } from '../config/config.ts';
import type { WrittenConfig } from '../config/entry.ts';
import { resolveConfig } from '../config/resolve.ts';
import { type Diagnostic, FINDINGS } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredState } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { hide, type Secret } from '../model/secret.ts';
import { diffIntegration } from '../plan/diff.ts';
import { entryFile, isManaging, variableText, type WrittenEntry } from './entry.ts';

/** The variables of a configuration with their texts; undefined if the server does not show one. */
type Shown = ReadonlyMap<string, Secret<string> | undefined>;

/** Entries that are as desired, and what was taken out of them. */
interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[];
  readonly shown: Shown;
}

/** Parses and plans the whole configuration, and comments out what is found or differs, until nothing is. */
export function proven(
  entries: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
): Proven {
  const files = entries.map((entry) => ({ path: entry.name, ...entryFile(entry, '') }));
  const { value: config, diagnostics } = parseConfig([files]);
  const entriesOfAll = [...existing.entries, ...(config?.entries ?? [])];
  const { shown, found } = planned({ ...existing, entries: entriesOfAll }, live);
  // Only what stands in a new entry is a flaw of it.
  const flaws = [...diagnostics.flatMap(wrong), ...found].flatMap(({ place, reason }) => {
    const file = files.find(({ path }) => path === place?.file);
    return file === undefined ? [] : [{ name: file.path, key: file.keys[(place?.line ?? 0) - 1], reason }];
  });
  if (flaws.length === 0) return { entries, leftOut: [], shown };
  const byName = grouped(flaws, ({ name }) => name);
  const mended = entries.map((entry) => mend(entry, byName.get(entry.name) ?? []));
  const gone = mended.filter((entry) => !isManaging(entry));
  const next = proven(mended.filter(isManaging), existing, live);
  const leftOut = gone.map(({ name }) => ({ address: name, reason: byName.get(name)?.[0].reason ?? '' }));
  return { ...next, leftOut: [...leftOut, ...next.leftOut] };
}

/** An entry without the options that have flaws; without anything if a flaw is not in an option. */
function mend(
  entry: WrittenEntry,
  flaws: readonly { readonly key: string | undefined; readonly reason: string }[],
): WrittenEntry {
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  if (reasons.has(undefined)) return { name: entry.name, match: entry.match, options: [] };
  const options = entry.options.map((option) => {
    const text = reasons.get(option.key);
    const notes = [{ field: 'value', text: text ?? '', isLeftOut: true }] as const;
    return text === undefined ? option : { key: option.key, notes };
  });
  return { ...entry, options };
}

/** What keeps a part of a file from being valid and as desired. */
interface Flaw {
  readonly place: Place | undefined;
  readonly reason: string;
}

function wrong(found: Diagnostic): Flaw[] {
  const { title } = FINDINGS[found.code];
  const reason = /^[A-Z][a-z ]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
  return explain(found).severity === 'note' ? [] : [{ place: found.place, reason }];
}

/** Plans as if all variables were set to what the server shows. */
function planned(config: WrittenConfig, live: readonly LiveIntegration[]) {
  const byId = new Map(live.map((each) => [each.id, each]));
  const shown = shownBy(matchEntries(resolveConfig(config), live).value, byId);
  const env = new Map([...shown].map(([name, text = hide('unread')]) => [name, { text }]));
  const matched = matchEntries(resolveConfig(config, { env, file: new Map() }), live);
  const diffs = matched.value.integrations.flatMap((each) => {
    const installed = byId.get(each.id);
    return installed === undefined ? [] : [diffIntegration(each, installed)];
  });
  const problems = [...matched.diagnostics, ...diffs.flatMap((each) => each.diagnostics)];
  const differing = diffs
    .flatMap(({ fields }) => fields)
    .flatMap(({ fate, setting }) => (fate === 'changed' ? [setting.place] : []));
  return {
    shown,
    found: [
      ...problems.flatMap(wrong),
      ...differing.map((place) => ({ place, reason: 'would not read back the same' })),
    ],
  };
}

/** The variables that are the whole value of an option. If two options hold different texts, none is shown. */
function shownBy({ integrations }: DesiredState, live: ReadonlyMap<string, LiveIntegration>): Shown {
  const read = integrations.flatMap(({ id, settings }) =>
    settings.flatMap((setting) => {
      if (setting.field !== 'value') return [];
      const [, name] = /^\$\{env:(SETPOINT_\w+)\}$/.exec(setting.reference ?? '') ?? [];
      const held = live.get(id)?.options.get(setting.option)?.value;
      const text = held?.kind === 'readable' ? variableText(held.value) : undefined;
      return name === undefined ? [] : [{ name, text }];
    }),
  );
  const byName = [...grouped(read, ({ name }) => name)];
  return new Map(
    byName.map(([name, all]) => {
      const [text, ...others] = new Set(all.map((each) => each.text));
      return [name, text === undefined || others.length > 0 ? undefined : hide(text)];
    }),
  );
}
