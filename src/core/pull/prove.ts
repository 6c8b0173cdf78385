import { joinFiles } from '../config/config.ts';
import { optionKeys, type WrittenConfig } from '../config/entry.ts';
import { parseFile, type WrittenFile } from '../config/read-file.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import {
  type Checked,
  type Diagnostic,
  FINDINGS,
} from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { matchEntries } from '../match/match.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { compareIntegration } from '../plan/compare.ts';
import {
  entryFile,
  isManaging,
  leftOut,
  type WrittenEntry,
  type WrittenOption,
} from './entry.ts';
import { type Reading, readingsOf } from './variables.ts';

/** A field, option or integration that is not written, and why. */
export interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

/** The configuration that there is, and what is installed. */
export interface ProofInput {
  readonly existing: WrittenConfig;
  /** The files of its layers. */
  readonly layers: readonly (readonly SourceFile[])[];
  /** The index of the layer that new files are in. */
  readonly own: number;
  /** The files that references name. */
  readonly table: ReferenceTable;
  readonly live: readonly LiveIntegration[];
}

/** Entries that are as desired, and those that are not. */
export interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly gone: readonly LeftOut[];
  /** What is shown of the variables of the whole configuration. */
  readonly readings: readonly Reading[];
}

/** A part of a file that is not valid, or not as desired. */
interface Flaw {
  readonly place: Place | undefined;
  readonly reason: string;
}

/** The flaws of an option of an entry; without a key, of another part of it. */
interface EntryFlaw {
  readonly name: string;
  readonly key: string | undefined;
  readonly reason: string;
}

/**
 * Parses and plans the whole configuration, and takes out the options with
 * flaws, until none is left.
 */
export function proven(
  written: readonly WrittenEntry[],
  input: ProofInput,
): Proven {
  const layers = input.layers.map((files) => files.map(parseFile));
  const declared = new Map(
    input.existing.entries.map((entry) => [entry.name, optionKeys(entry)]),
  );
  const gone: LeftOut[] = [];
  let entries = written;
  for (;;) {
    const { flaws, readings } = examined(entries, layers, input);
    if (flaws.length === 0) return { entries, gone, readings };
    const byName = grouped(flaws, ({ name }) => name);
    const kept: WrittenEntry[] = [];
    for (const entry of entries) {
      const own: readonly EntryFlaw[] = byName.get(entry.name) ?? [];
      const before = declared.get(entry.name) ?? [];
      const mended = withoutFlawed(entry, own, before);
      if (isManaging(mended)) kept.push(mended);
      else gone.push({ address: entry.name, reason: own[0]?.reason ?? '' });
    }
    entries = kept;
  }
}

interface Examined {
  readonly flaws: readonly EntryFlaw[];
  readonly readings: readonly Reading[];
}

type ParsedLayers = readonly (readonly Checked<WrittenFile>[])[];

/** Parses and plans new entries together with the files that are there. */
function examined(
  entries: readonly WrittenEntry[],
  before: ParsedLayers,
  { existing, live, own, table }: ProofInput,
): Examined {
  const files = entries.map((entry) => ({
    path: `new entry ${entry.name}`,
    ...entryFile([entry], ''),
  }));
  const layers = before.map((layer, index) =>
    index === own ? [...layer, ...files.map(parseFile)] : layer,
  );
  const { value = existing, diagnostics } = joinFiles(layers);
  const plan = planned(value, live, table);
  const linesOf = new Map(files.map(({ path, lines }) => [path, lines]));
  const flaws: EntryFlaw[] = [];
  for (const { place, reason } of [...flawsIn(diagnostics), ...plan.flaws]) {
    if (place === undefined) continue;
    // A flaw of an entry that was there before stays as it is.
    const lines = linesOf.get(place.file);
    if (lines === undefined) continue;
    const { entry: name, key } = lines[place.line - 1] ?? {};
    if (name !== undefined) flaws.push({ name, key, reason });
  }
  return { flaws, readings: plan.readings };
}

/** An entry without what its flawed options declare. */
function withoutFlawed(
  entry: WrittenEntry,
  flaws: readonly EntryFlaw[],
  declared: readonly string[],
): WrittenEntry {
  const { name, match } = entry;
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  // Nothing can be kept if a flaw is not in an option.
  if (reasons.has(undefined)) return { name, match, options: [] };
  const options = entry.options.map((option) => {
    const reason = reasons.get(option.key);
    if (reason === undefined) return option;
    return withoutFlaw(option, reason, declared.includes(option.key));
  });
  return { ...entry, options };
}

/** A null if earlier layers declare the option, else a comment. */
function withoutFlaw(
  { key, isStopped }: WrittenOption,
  reason: string,
  isDeclaredBefore: boolean,
): WrittenOption {
  const notes = [leftOut('value', reason)];
  if (isStopped || !isDeclaredBefore) return { key, notes };
  return { key, isStopped: true, remark: reason, notes };
}

/** Findings as flaws, with the title of each as the reason; notes are none. */
function flawsIn(diagnostics: readonly Diagnostic[]): Flaw[] {
  const flaws: Flaw[] = [];
  for (const finding of diagnostics) {
    if (severityOf(finding) === 'note') continue;
    const { title } = FINDINGS[finding.code];
    const reason = title.replace(/^[A-Z](?=[a-z ])/, (letter) =>
      letter.toLowerCase(),
    );
    flaws.push({ place: finding.place, reason });
  }
  return flaws;
}

interface PlannedPull {
  readonly flaws: readonly Flaw[];
  readonly readings: readonly Reading[];
}

/** Plans with references unread: a variable is as the server has it. */
function planned(
  config: WrittenConfig,
  live: readonly LiveIntegration[],
  table: ReferenceTable,
): PlannedPull {
  const byId = new Map(
    live.map((integration) => [integration.id, integration]),
  );
  const matched = matchEntries(resolveConfig(config, table), live);
  const flaws = flawsIn(matched.diagnostics);
  const differing: Flaw[] = [];
  for (const desired of matched.integrations) {
    const installed = byId.get(desired.id);
    if (installed === undefined) continue;
    const compared = compareIntegration(desired, installed);
    flaws.push(...flawsIn(compared.diagnostics));
    for (const { state, setting } of compared.comparisons) {
      if (state !== 'differs') continue;
      const reason = 'would not read back the same';
      differing.push({ place: setting.place, reason });
    }
  }
  const readings = readingsOf(matched.integrations, byId);
  return { flaws: [...flaws, ...differing], readings };
}
