import { joinFiles, referenceFindings } from '../config/config.ts';
import { optionKeys, type WrittenConfig } from '../config/entry.ts';
import { parseFile } from '../config/parse-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { matchEntries } from '../match/match.ts';
import { byId, grouped } from '../model/lists.ts';
import type { Place } from '../model/place.ts';
import { compareIntegration } from '../plan/compare.ts';
import {
  type EntryFile,
  entryFile,
  isManaging,
  leftOut,
  type WrittenEntry,
  type WrittenOption,
} from './entry.ts';
import { meantConfig } from './identity.ts';
import { reasonOf } from './names.ts';
import {
  readingsOf,
  type ShownVariables,
  shownBy,
  type VariableReading,
} from './secrets.ts';
import { NO_CONFIG, type PullState } from './state.ts';

/** Entries that are read back as they are live. */
export interface Proven {
  entries: readonly WrittenEntry[];
  /** What is shown of the variables of the whole configuration, by field. */
  readings: readonly VariableReading[];
  shown: ShownVariables;
}

/** A part of a new entry that is not read back as it is live. */
interface Flaw {
  name: string;
  /** The key of its option; undefined of another part. */
  key: string | undefined;
  reason: string;
}

/** What speaks against a line of configuration, be it new or not. */
interface Doubt {
  place: Place | undefined;
  reason: string;
}

/**
 * Reads new entries back, with their secrets, and takes out the options that
 * would be planned or refused. A file that cannot be parsed hides what the
 * plan would say of the others, so what is left is read again.
 */
export function proven(
  written: readonly WrittenEntry[],
  state: PullState,
): Proven {
  const { parsed, base, own, identity, config } = state;
  const layers = parsed.map((files) => [...files]);
  const linesOf = new Map<string | undefined, EntryFile['lines']>();
  for (const entry of written.filter(isManaging)) {
    const path = `new entry ${entry.name}`;
    const { text, lines } = entryFile([entry]);
    linesOf.set(path, lines);
    const { layer } = entry.isOwn ? own : base;
    layers[layer]?.push(parseFile({ path, text }));
  }
  const { value = NO_CONFIG, diagnostics } = joinFiles(layers);
  const meant = meantConfig(value, identity);
  const { doubts, ...shown } = readBack(meant, state);
  const flaws: Flaw[] = [];
  for (const { place, reason } of [...doubtsOf(diagnostics), ...doubts]) {
    // A doubt about an entry that was there before stays as it is.
    const line = linesOf.get(place?.file)?.[(place?.line ?? 0) - 1];
    const { entry: name, key } = line ?? {};
    if (name !== undefined) flaws.push({ name, key, reason });
  }
  if (flaws.length === 0) return { entries: written, ...shown };
  const declared = new Map(
    config.entries.map((entry) => [entry.name, optionKeys(entry)]),
  );
  const byName = grouped(flaws, ({ name }) => name);
  const mended = written.map((entry) => {
    const { name } = entry;
    const own = byName.get(name) ?? [];
    return withoutFlawed(entry, own, declared.get(name) ?? []);
  });
  return proven(mended, state);
}

/** An entry without what its flawed options declare. */
function withoutFlawed(
  entry: WrittenEntry,
  flaws: readonly Flaw[],
  declared: readonly string[],
): WrittenEntry {
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  const { name } = entry;
  // Nothing can be kept if a flaw is not in an option.
  const flaw = reasons.get(undefined);
  if (flaw !== undefined) return { name, options: [], flaw };
  const options = entry.options.map((option): WrittenOption => {
    const { key, isStopped } = option;
    const reason = reasons.get(key);
    if (reason === undefined) return option;
    const { notes = [] } = leftOut(reason);
    // That of earlier layers must not count in its place.
    if (isStopped || !declared.includes(key)) return { key, notes };
    return { key, isStopped: true, remark: reason, notes };
  });
  return { ...entry, options };
}

function doubtsOf(findings: readonly Diagnostic[]): Doubt[] {
  return findings
    .filter((finding) => severityOf(finding) !== 'note')
    .map((finding) => ({ place: finding.place, reason: reasonOf(finding) }));
}

interface ReadBack extends Omit<Proven, 'entries'> {
  doubts: readonly Doubt[];
}

/**
 * Plans a configuration with the secrets that the server shows: nothing is to
 * differ.
 */
function readBack(
  config: WrittenConfig,
  { table, index }: PullState,
): ReadBack {
  const live = index.all;
  const unread = resolveConfig(config, table);
  const readings = readingsOf(matchEntries(unread, live).integrations, live);
  const shown = shownBy(readings);
  const held = new Map(table);
  for (const [name, text] of shown)
    if (typeof text !== 'string') held.set(`env:${name}`, { text });
  const resolved = resolveConfig(config, held);
  const matched = matchEntries(resolved, live);
  const errors = referenceFindings(resolved).filter(
    (finding) => severityOf(finding) === 'error',
  );
  const doubts = doubtsOf([...errors, ...matched.diagnostics]);
  const known = byId(live);
  for (const desired of matched.integrations) {
    const installed = known.get(desired.id);
    if (installed === undefined) continue;
    const compared = compareIntegration(desired, installed);
    doubts.push(...doubtsOf(compared.diagnostics));
    for (const { state, setting } of compared.comparisons)
      if (state === 'differs')
        doubts.push({
          place: setting.place,
          reason: 'would not read back the same',
        });
  }
  return { doubts, readings, shown };
}
