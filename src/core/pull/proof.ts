import { parseConfig } from '../config/config.ts';
import type { WrittenConfig } from '../config/entry.ts';
import { resolveConfig } from '../config/resolve.ts';
import { type Diagnostic, FINDINGS } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import { type Matched, matchEntries } from '../match/match.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { hide, type Secret } from '../model/secret.ts';
import { diffIntegration } from '../plan/diff.ts';
import { entryFile, isManaging, type WrittenEntry } from './entry.ts';
import { leftOut, variableText } from './option.ts';

/** A variable and its text; undefined if the server does not show it. */
export type Shown = ReadonlyMap<string, Secret<string> | undefined>;

/** A field, option or integration that is not written, and why. */
export interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly leftOut: readonly LeftOut[];
  readonly shown: Shown;
}

/** Parses and plans the whole configuration, and comments out what is found or differs, until nothing is. */
export function proven(
  entries: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
  schema: string,
): Proven {
  const { flaws, shown } = flawsOf(entries, existing, live, schema);
  if (flaws.length === 0) return { entries, leftOut: [], shown };
  const mended = entries.map((entry) => {
    const own = flaws.filter(({ name }) => name === entry.name);
    return { entry: mend(entry, own), address: entry.name, reason: own[0]?.reason ?? '' };
  });
  const kept = mended.map(({ entry }) => entry).filter(isManaging);
  const gone = mended.filter(({ entry }) => !isManaging(entry));
  const next = proven(kept, existing, live, schema);
  return { ...next, leftOut: [...gone.map(({ address, reason }) => ({ address, reason })), ...next.leftOut] };
}

/** What keeps a part of an entry from being valid and as desired; without a key, the whole of it. */
interface Flaw {
  readonly name: string;
  readonly key?: string | undefined;
  readonly reason: string;
}

function flawsOf(
  entries: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
  schema: string,
): { readonly flaws: readonly Flaw[]; readonly shown: Shown } {
  const files = entries.map((entry) => ({ path: entry.name, ...entryFile(entry, schema) }));
  const keysOf = new Map(files.map(({ path, keys }) => [path, keys]));
  const flawAt = (place: Place | undefined, reason: string): Flaw[] => {
    if (place === undefined) return [];
    const keys = keysOf.get(place.file);
    return keys === undefined ? [] : [{ name: place.file, key: keys[place.line - 1], reason }];
  };
  const found = (diagnostics: readonly Diagnostic[]) =>
    diagnostics
      .filter((each) => explain(each).severity !== 'note')
      .flatMap(({ code, place }) => flawAt(place, titleOf(code)));
  const { value: config, diagnostics } = parseConfig([files]);
  if (config === undefined) return { flaws: found(diagnostics), shown: new Map() };
  const { shown, differing, problems } = planned(
    { ...existing, entries: [...existing.entries, ...config.entries] },
    live,
  );
  return {
    flaws: [
      ...found([...diagnostics, ...problems]),
      ...differing.flatMap(({ setting }) => flawAt(setting.place, 'would not read back the same')),
    ],
    shown,
  };
}

/** Plans as if all variables were set to what the server shows. */
function planned(config: WrittenConfig, live: readonly LiveIntegration[]) {
  const byId = new Map(live.map((each) => [each.id, each]));
  const shown = shownBy(matchEntries(resolveConfig(config), live), byId);
  const env = new Map([...shown].map(([name, text = hide('unread')]) => [name, { text }]));
  const matched = matchEntries(resolveConfig(config, { env, file: new Map() }), live);
  const diffs = matched.value.integrations.flatMap((each) => {
    const installed = byId.get(each.id);
    return installed === undefined ? [] : [diffIntegration(each, installed)];
  });
  return {
    shown,
    differing: diffs.flatMap(({ changes }) => changes),
    problems: [...matched.diagnostics, ...diffs.flatMap((each) => each.diagnostics)],
  };
}

/** The variables that are the whole value of an option. If two options hold different texts, none is shown. */
function shownBy({ value }: Matched, live: ReadonlyMap<string, LiveIntegration>): Shown {
  const read = value.integrations.flatMap(({ id, settings }) =>
    settings.flatMap((setting) => {
      if (setting.field !== 'value') return [];
      const [, name] = /^\$\{env:(SETPOINT_\w+)\}$/.exec(setting.reference ?? '') ?? [];
      const held = live.get(id)?.options.get(setting.option)?.value;
      const text = held?.kind === 'readable' ? variableText(held.value) : undefined;
      return name === undefined ? [] : [{ name, text }];
    }),
  );
  return new Map(
    [...grouped(read, ({ name }) => name)].map(([name, all]) => {
      const text = all[0]?.text;
      return [name, text === undefined || all.some((each) => each.text !== text) ? undefined : hide(text)];
    }),
  );
}

/** An entry without the options that have flaws; without anything if the flaw is not in an option. */
function mend(entry: WrittenEntry, flaws: readonly Flaw[]): WrittenEntry {
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  if (reasons.has(undefined)) return { name: entry.name, match: entry.match, options: [] };
  return {
    ...entry,
    options: entry.options.map((option) => {
      const reason = reasons.get(option.key);
      return reason === undefined ? option : { key: option.key, notes: [leftOut('value', reason)] };
    }),
  };
}

function titleOf(code: Diagnostic['code']): string {
  const { title } = FINDINGS[code];
  return /^[A-Z][a-z ]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
