import {
  selectorOf,
  selectorText,
  type WrittenConfig,
} from '../config/entry.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { managedOptions } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Subject } from '../model/subject.ts';
import {
  entryFile,
  isDeclared,
  isManaging,
  type WrittenEntry,
  writtenOption,
} from './entry.ts';
import {
  emptySecretsIn,
  isTakenBackIn,
  leftOutFrom,
  type Named,
  namesOf,
} from './left-out.ts';
import { slug, uniquely } from './names.ts';
import { overlayOf } from './overlay.ts';
import {
  type LaterPairing,
  matchOf,
  type Pair,
  type Pairing,
  pairedConfig,
} from './pair.ts';
import { type LeftOut, proven } from './prove.ts';
import {
  type PulledSecrets,
  type SecretWriting,
  secretsOf,
  secretWriting,
} from './secrets.ts';
import {
  ABSENT_FILE,
  nameable,
  type PullInput,
  RESERVED,
  type Stopped,
  selectionOf,
} from './selection.ts';

/** The new entries, and all that a person has to know of them. */
export interface PulledEntries extends PulledSecrets {
  /** A file for each entry, ordered by name. */
  readonly files: readonly PulledFile[];
  /** How many entries of its own the server gets. */
  readonly adopted: number;
  /** How many options they declare. */
  readonly options: number;
  /** How the server differs from the entries that it shares, at first. */
  readonly overlay?: OverlaySummary | undefined;
  /** The shared entries that a later pull stops, as nothing is installed. */
  readonly notInstalled: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** The entries of files that a person has to change. */
  readonly outdated: readonly OutdatedMatch[];
  /** The new secrets that read as empty, if the server shows none at all. */
  readonly emptySecrets: readonly Subject[];
  /** The options of managed integrations that no file declares. */
  readonly undeclared: readonly Undeclared[];
  /** How many integrations the configuration manages already. */
  readonly managed: number;
  /** The names and ids that `only` could have meant. */
  readonly names: readonly string[];
}

/** How many shared entries are alike on a server, differ, or are absent. */
interface OverlaySummary {
  readonly alike: number;
  readonly differing: number;
  readonly fields: number;
  readonly absent: number;
}

/** An entry whose match finds nothing by now. */
interface OutdatedMatch {
  readonly name: string;
  readonly match: string;
  /** The match that finds its integration. */
  readonly fitting: string;
}

interface PulledFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes an entry for each integration that no specific entry selects, and in
 * an overlay what differs from the entries of others. The same server leads to
 * the same text.
 */
export function pullEntries(input: PullInput): PulledEntries {
  const { live, overlay } = input;
  const isFirst = overlay?.isFirst === true;
  const selection = selectionOf(input);
  const { index, pairing, named, meant, stopped } = selection;
  const paired = namesOf(pairing);
  const writing = secretWriting(input);
  const written = entriesOf(meant, index, writing.referrerOf);
  written.push(...overlayEntries(pairing, index, input, writing));
  written.push(...renewedMatches(pairing, input));
  const table = overlay?.table ?? NO_FILES;
  const proof = proven(written, { ...input, table, live: index.all });
  const { entries } = proof;
  const own = adoptingIn(entries, isFirst);
  return {
    files: filesOf(entries, input),
    adopted: own.length,
    options: declaredCount(own),
    overlay: isFirst ? summaryOf(pairing, entries, input) : undefined,
    notInstalled: isFirst ? [] : stoppedIn(entries),
    ...secretsOf(proof, writing.files, isFirst),
    leftOut: [
      ...leftOutFrom(live, meant, proof, paired),
      ...unseenIn(pairing),
      ...nullsOf(stopped),
    ],
    outdated: outdatedIn(pairing, input),
    emptySecrets: emptySecretsOf({ meant, paired }, index, entries),
    undeclared: isFirst ? [] : undeclaredAmong(input, index, named),
    managed: selection.managed,
    names: nameable(input, index, named),
  };
}

/**
 * The entries by which a pull manages more integrations than before. Later
 * than the first, one in an overlay with a match of its own does that too.
 */
function adoptingIn(
  entries: readonly WrittenEntry[],
  isFirst: boolean,
): WrittenEntry[] {
  return isFirst
    ? entries.filter(({ isOverlay }) => !isOverlay)
    : entries.filter(({ stop }) => stop === undefined);
}

/** Integrations with new entries, and those that entries of others mean. */
interface PulledIntegrations {
  readonly meant: readonly Named[];
  readonly paired: readonly Named[];
}

/** The secrets that read as empty, as far as new entries are about them. */
function emptySecretsOf(
  { meant, paired }: PulledIntegrations,
  index: LiveIndex,
  entries: readonly WrittenEntry[],
): Subject[] {
  const takenBack = emptySecretsIn(paired, index.all);
  return [
    ...emptySecretsIn(meant, index.all),
    ...takenBack.filter(isTakenBackIn(entries)),
  ];
}

/** The options, of integrations that are meant, that no file declares. */
function undeclaredAmong(
  { existing, only }: PullInput,
  index: LiveIndex,
  named: readonly Named[],
): Undeclared[] {
  const isMeant = globMatcher(only ?? '*');
  return undeclaredIn(existing, index.all, named).filter(
    ({ name, id }) => isMeant(name) || isMeant(id),
  );
}

const NO_FILES: ReferenceTable = { env: new Map(), file: new Map() };

/** How many options entries declare. */
function declaredCount(entries: readonly WrittenEntry[]): number {
  let count = 0;
  for (const { options } of entries) count += options.filter(isDeclared).length;
  return count;
}

/** The integrations that a person has to free of a null first. */
function nullsOf(stopped: readonly Stopped[]): LeftOut[] {
  return stopped.map(({ name, stop }) => ({
    address: name,
    reason: `null in ${stop.place.file}; remove that to manage it`,
  }));
}

/** The entries that match nothing, as most do. */
function unseenIn({ unseen }: LaterPairing): LeftOut[] {
  const reason = 'this account sees too few integrations to tell';
  return unseen.map(({ name }) => ({ address: name, reason }));
}

/** The names of the entries that nulls take back. */
function stoppedIn(entries: readonly WrittenEntry[]): string[] {
  const names: string[] = [];
  for (const { name, stop } of entries) {
    if (stop !== undefined) names.push(name);
  }
  return names;
}

/** The entries of integrations; one that would declare nothing is left out. */
function entriesOf(
  meant: readonly Named[],
  index: LiveIndex,
  referrerOf: SecretWriting['referrerOf'],
): WrittenEntry[] {
  const entries: WrittenEntry[] = [];
  for (const { name, integration } of meant) {
    const { autosubscribe } = integration;
    const options = [...integration.options.values()].map((option) =>
      writtenOption({ option, referTo: referrerOf(name, option.key) }),
    );
    const match = matchOf(integration, index);
    const entry = { name, match, autosubscribe, options };
    if (isManaging(entry)) entries.push(entry);
  }
  return entries;
}

/** In what integrations differ from the entries that mean them. */
function overlayEntries(
  pairing: Pairing,
  index: LiveIndex,
  { existing, overlay }: PullInput,
  writing: SecretWriting,
): WrittenEntry[] {
  const config = pairedConfig(existing, pairing);
  const resolved = resolveConfig(config, overlay?.table);
  const matched = matchEntries(resolved, index.all).integrations;
  const desired = new Map(matched.map((asked) => [asked.id, asked]));
  const entries: WrittenEntry[] = [];
  for (const [integration, pairs] of pairsByIntegration(pairing)) {
    const asked = desired.get(integration.id);
    if (asked === undefined) continue;
    const shared = { integration, desired: asked, pairs };
    entries.push(...overlayOf(shared, writing));
  }
  for (const { name } of pairing.absent)
    entries.push({
      name,
      stop: 'not installed here',
      options: [],
      isOverlay: true,
    });
  return entries.filter(
    (entry) => isManaging(entry) && !overlay?.written.has(entry.name),
  );
}

/**
 * The entries that get another match in the overlay, beside the files that
 * mention them there without one. In what else they differ is drift.
 */
function renewedMatches(
  { moved }: LaterPairing,
  { overlay }: PullInput,
): WrittenEntry[] {
  const entries: WrittenEntry[] = [];
  if (overlay === undefined) return entries;
  for (const { entry, match } of moved) {
    const { name } = entry;
    if (overlay.matched.has(name)) continue;
    entries.push({ name, match, options: [], isOverlay: true });
  }
  return entries;
}

/** The entries with a match in files of the server, which a pull never edits. */
function outdatedIn(
  { moved }: LaterPairing,
  { overlay }: PullInput,
): OutdatedMatch[] {
  const outdated: OutdatedMatch[] = [];
  for (const { entry, integration, match } of moved) {
    const { name } = entry;
    if (overlay !== undefined && !overlay.matched.has(name)) continue;
    const before = selectorText(selectorOf(entry));
    const fitting = match ?? integration.id;
    outdated.push({ name, match: before, fitting });
  }
  return outdated;
}

/** Pairs by their integrations, both ordered. */
function pairsByIntegration({
  pairs,
}: Pairing): ReadonlyMap<LiveIntegration, readonly Pair[]> {
  const ordered = [...pairs].sort((a, b) =>
    compareText(a.entry.name, b.entry.name),
  );
  const byIntegration = new Map<LiveIntegration, Pair[]>();
  for (const pair of ordered) {
    const known = byIntegration.get(pair.integration);
    if (known === undefined) byIntegration.set(pair.integration, [pair]);
    else known.push(pair);
  }
  return byIntegration;
}

/** Counts the shared entries that are alike, and the fields that differ. */
function summaryOf(
  { pairs, absent }: Pairing,
  entries: readonly WrittenEntry[],
  { overlay }: PullInput,
): OverlaySummary {
  let differing = 0;
  let fields = 0;
  const changed = new Set<string>();
  for (const entry of entries) {
    if (!entry.isOverlay || entry.stop !== undefined) continue;
    differing += 1;
    fields += fieldCount(entry);
    changed.add(entry.name);
  }
  let alike = 0;
  for (const { entry } of pairs) {
    const isWritten = overlay?.written.has(entry.name) === true;
    if (!isWritten && !changed.has(entry.name)) alike += 1;
  }
  return { alike, differing, fields, absent: absent.length };
}

/** How many fields an entry declares; a null for an option is one. */
function fieldCount({ match, autosubscribe, options }: WrittenEntry): number {
  let count = 0;
  if (match !== undefined) count += 1;
  if (autosubscribe !== undefined) count += 1;
  for (const { value, reference, permission, isStopped } of options) {
    if (isStopped) count += 1;
    if (value !== undefined || reference !== undefined) count += 1;
    if (permission !== undefined) count += 1;
  }
  return count;
}

/** A file for each entry, and one for all that are only taken back. */
function filesOf(
  entries: readonly WrittenEntry[],
  { schema, taken }: PullInput,
): PulledFile[] {
  const freeName = uniquely([RESERVED, ...taken], '-');
  const files: PulledFile[] = [];
  const byName = [...entries].sort((a, b) => compareText(a.name, b.name));
  const stopped = byName.filter(({ stop }) => stop !== undefined);
  if (stopped.length > 0) {
    const { text } = entryFile(stopped, schema);
    files.push({ name: freeName(ABSENT_FILE), text });
  }
  for (const entry of byName) {
    if (entry.stop !== undefined) continue;
    const { text } = entryFile([entry], schema);
    files.push({ name: freeName(slug(entry.name) || 'entry'), text });
  }
  return files.sort((a, b) => compareText(a.name, b.name));
}

/** An integration of the configuration, and options of it. */
interface Undeclared {
  readonly name: string;
  readonly id: string;
  readonly options: readonly string[];
}

/** The undeclared options of managed integrations, without those added. */
function undeclaredIn(
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
  added: readonly Named[],
): Undeclared[] {
  const byId = new Map(live.map((each) => [each.id, each]));
  for (const { integration } of added) byId.delete(integration.id);
  const undeclared: Undeclared[] = [];
  const desired = matchEntries(resolveConfig(existing), live).integrations;
  for (const { id, name, settings } of desired) {
    const declared = new Set(managedOptions(settings));
    const keys = byId.get(id)?.optionKeys ?? [];
    const options = [...keys].filter((key) => !declared.has(key));
    if (options.length > 0) undeclared.push({ name, id, options });
  }
  return undeclared;
}
