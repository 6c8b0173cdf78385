import { joinFiles, referenceFindings } from '../config/config.ts';
import { optionKeys, type WrittenConfig } from '../config/entry.ts';
import { parseFile, type WrittenFile } from '../config/read-file.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import type { Checked, Diagnostic } from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { matchEntries } from '../match/match.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { Secret } from '../model/secret.ts';
import { compareIntegration } from '../plan/compare.ts';
import {
  type EntryFile,
  entryFile,
  isManaging,
  leftOut,
  type WrittenEntry,
  type WrittenOption,
} from './entry.ts';
import { type Identity, meantConfig } from './identity.ts';
import { reasonOf } from './names.ts';
import { type Reading, readingsOf, shownBy } from './secrets.ts';

/** A field, option or integration that is not written, and why. */
export interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

/** The configuration that there is, and what is installed. */
export interface ProofInput {
  readonly config: WrittenConfig;
  readonly identity: Identity;
  /** The files of its layers. */
  readonly parsed: readonly (readonly Checked<WrittenFile>[])[];
  /** The index of the layer that a new entry is in. */
  readonly layerOf: (entry: WrittenEntry) => number;
  /** The files that references name. */
  readonly table: ReferenceTable;
  /** The secrets that are about to be written as files. */
  readonly secretFiles: ReadonlyMap<string, Secret<string>>;
  readonly live: readonly LiveIntegration[];
}

/** Entries that are read back as they are live, and what is not. */
export interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly gone: readonly LeftOut[];
  /** What is shown of the variables of the whole configuration. */
  readonly readings: readonly Reading[];
}

/** A part of a new entry that is not read back as it is live. */
interface Flaw {
  readonly name: string;
  /** The key of its option; undefined of another part. */
  readonly key: string | undefined;
  readonly reason: string;
}

/**
 * Reads new entries back, with their secrets, and takes out the options that
 * would be planned or refused. A file that cannot be parsed hides what the
 * plan would say of the others, so what is left is read again.
 */
export function proven(
  written: readonly WrittenEntry[],
  input: ProofInput,
): Proven {
  const { flaws, readings } = examined(written, input);
  if (flaws.length === 0) return { entries: written, gone: [], readings };
  const declared = new Map(
    input.config.entries.map((entry) => [entry.name, optionKeys(entry)]),
  );
  const byName = grouped(flaws, ({ name }) => name);
  const entries: WrittenEntry[] = [];
  const gone: LeftOut[] = [];
  for (const entry of written) {
    const { name } = entry;
    const own: readonly Flaw[] = byName.get(name) ?? [];
    const mended = withoutFlawed(entry, own, declared.get(name) ?? []);
    if (isManaging(mended)) entries.push(mended);
    else gone.push({ address: name, reason: own[0]?.reason ?? '' });
  }
  const rest = proven(entries, input);
  return { ...rest, gone: [...gone, ...rest.gone] };
}

function isError(finding: Diagnostic): boolean {
  return severityOf(finding) === 'error';
}

/** An entry without what its flawed options declare. */
function withoutFlawed(
  entry: WrittenEntry,
  flaws: readonly Flaw[],
  declared: readonly string[],
): WrittenEntry {
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  // Nothing can be kept if a flaw is not in an option.
  if (reasons.has(undefined)) return { name: entry.name, options: [] };
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

interface Examined {
  readonly flaws: readonly Flaw[];
  readonly readings: readonly Reading[];
}

/** Parses and plans new entries together with the files that are there. */
function examined(
  entries: readonly WrittenEntry[],
  input: ProofInput,
): Examined {
  const { parsed, layerOf, identity } = input;
  const layers = parsed.map((files) => [...files]);
  const linesOf = new Map<string, EntryFile['lines']>();
  for (const entry of entries) {
    const path = `new entry ${entry.name}`;
    const { text, lines } = entryFile([entry], '');
    linesOf.set(path, lines);
    layers[layerOf(entry)]?.push(parseFile({ path, text }));
  }
  const { value, diagnostics } = joinFiles(layers);
  const doubts = doubtsOf(diagnostics);
  let readings: readonly Reading[] = [];
  if (value !== undefined) {
    const planned = readBack(meantConfig(value, identity), input);
    doubts.push(...planned.doubts);
    readings = planned.readings;
  }
  const flaws: Flaw[] = [];
  for (const { place, reason } of doubts) {
    // A doubt about an entry that was there before stays as it is.
    const lines = linesOf.get(place?.file ?? '');
    const { entry: name, key } = lines?.[(place?.line ?? 0) - 1] ?? {};
    if (name !== undefined) flaws.push({ name, key, reason });
  }
  return { flaws, readings };
}

/** What speaks against a line of configuration, be it new or not. */
interface Doubt {
  readonly place: Place | undefined;
  readonly reason: string;
}

function doubtsOf(findings: readonly Diagnostic[]): Doubt[] {
  const doubts: Doubt[] = [];
  for (const finding of findings) {
    if (severityOf(finding) === 'note') continue;
    doubts.push({ place: finding.place, reason: reasonOf(finding) });
  }
  return doubts;
}

interface ReadBack {
  readonly doubts: readonly Doubt[];
  readonly readings: readonly Reading[];
}

/** Plans a configuration with the secrets that the server shows: nothing is to differ. */
function readBack(
  config: WrittenConfig,
  { table, live, secretFiles }: ProofInput,
): ReadBack {
  const unread = resolveConfig(config, table);
  const readings = readingsOf(matchEntries(unread, live).integrations, live);
  const env = new Map(table.env);
  for (const [name, shown] of shownBy(readings)) {
    if (shown.kind === 'text') env.set(name, shown);
  }
  const file = new Map(table.file);
  for (const [path, text] of secretFiles) file.set(path, { text });
  const resolved = resolveConfig(config, { env, file });
  const matched = matchEntries(resolved, live);
  const doubts = doubtsOf([
    ...referenceFindings(resolved).filter(isError),
    ...matched.diagnostics,
  ]);
  const byId = new Map(live.map((installed) => [installed.id, installed]));
  for (const desired of matched.integrations) {
    const installed = byId.get(desired.id);
    if (installed === undefined) continue;
    const compared = compareIntegration(desired, installed);
    doubts.push(...doubtsOf(compared.diagnostics));
    for (const { state, setting } of compared.comparisons) {
      if (state !== 'differs') continue;
      const reason = 'would not read back the same';
      doubts.push({ place: setting.place, reason });
    }
  }
  return { doubts, readings };
}
