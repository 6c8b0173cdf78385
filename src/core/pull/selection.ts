import type { Declaration } from '../config/declaration.ts';
import type { Entry, WrittenConfig } from '../config/entry.ts';
import type { ReferenceTable } from '../config/resolve.ts';
import { LiveIndex } from '../match/live-index.ts';
import { globMatcher } from '../model/glob.ts';
import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { SourceFile } from '../model/place.ts';
import type { Named } from './left-out.ts';
import { entryName, uniquely } from './names.ts';
import {
  type LaterPairing,
  type Pair,
  pairEntries,
  pairLater,
  selectedBy,
} from './pair.ts';
import type { SecretPlaces } from './secrets.ts';

/** What a pull starts from. */
export interface PullInput {
  readonly live: readonly LiveIntegration[];
  /** The configuration that the server has already. */
  readonly existing: WrittenConfig;
  /** The files of its layers. */
  readonly layers: readonly (readonly SourceFile[])[];
  /** The index of the layer that new files are in. */
  readonly own: number;
  /** The names of the files that are there. */
  readonly taken: readonly string[];
  /** Set if the server shares entries with others; absent for the first. */
  readonly overlay?: OverlayInput | undefined;
  /** The name that all variables begin with, in a copy for one server. */
  readonly server?: string | undefined;
  /** A glob on ids and names. */
  readonly only?: string | undefined;
  /** The path of the schema from the folder of the new files. */
  readonly schema: string;
  /** Absent if no file for secrets was asked for. */
  readonly secrets?: SecretPlaces | undefined;
}

/** The overlay that a server has, or gets, over the entries of others. */
export interface OverlayInput {
  /** Whether it gets its first files: later ones do not compare fields. */
  readonly isFirst: boolean;
  /** The names of entries that its own layers mention already. */
  readonly written: ReadonlySet<string>;
  /** Those of them for which its own layers have a match. */
  readonly matched: ReadonlySet<string>;
  /** The files that references name. */
  readonly table: ReferenceTable;
}

/** A folder of configuration leaves out the file with this name. */
export const RESERVED = 'setpoint';

/** The file for the entries of other servers that one lacks. */
export const ABSENT_FILE = 'not-installed';

/** What a pull is about, before an entry is written. */
export interface Selection {
  /** What is installed under ids that can be written to. */
  readonly index: LiveIndex;
  readonly pairing: LaterPairing;
  /** The integrations that no entry means, with names for new ones. */
  readonly named: readonly Named[];
  /** Those that `--only` selects: they get entries. */
  readonly meant: readonly Named[];
  /** The integrations that it selects of those whose entries are null. */
  readonly stopped: readonly Stopped[];
  /** How many integrations the configuration manages already. */
  readonly managed: number;
}

/** Selects what a pull writes about. */
export function selectionOf(input: PullInput): Selection {
  const isMeant = globMatcher(input.only ?? '*');
  const isNamed = ({ name, integration }: Named): boolean =>
    isMeant(name) || isMeant(integration.id);
  const index = new LiveIndex(input.live.filter(({ id }) => isPathSafe(id)));
  const pairing = pairingOf(input, index);
  const { managed, named, stopped } = unmanagedIn(index, pairing, input);
  return {
    index,
    pairing: meantOf(pairing, isMeant),
    named,
    meant: named.filter(isNamed),
    stopped: stopped.filter(isNamed),
    managed,
  };
}

/**
 * The entries that a pull writes about: in the first of an overlay all of the
 * others, later those that match nothing.
 */
function pairingOf(
  { existing, overlay }: PullInput,
  index: LiveIndex,
): LaterPairing {
  if (overlay?.isFirst === true)
    return { ...pairEntries(existing, index), unseen: [], moved: [] };
  // The layers of the first server, or of a copy, are all its own.
  const names = existing.entries.map(({ name }) => name);
  const mentioned = overlay?.written ?? new Set(names);
  return pairLater(existing, index, mentioned);
}

/** The part of a pairing that `--only` selects, by names and ids. */
function meantOf(
  pairing: LaterPairing,
  isMeant: (text: string) => boolean,
): LaterPairing {
  const isEntryMeant = ({ name }: Entry): boolean => isMeant(name);
  const isPairMeant = ({ entry, integration }: Pair): boolean =>
    isMeant(entry.name) || isMeant(integration.id);
  return {
    pairs: pairing.pairs.filter(isPairMeant),
    absent: pairing.absent.filter(isEntryMeant),
    unseen: pairing.unseen.filter(isEntryMeant),
    moved: pairing.moved.filter(isPairMeant),
  };
}

/** The names and ids that `only` could have meant. */
export function nameable(
  { existing }: PullInput,
  index: LiveIndex,
  named: readonly Named[],
): string[] {
  return [
    ...named.map(({ name }) => name),
    ...existing.entries.map(({ name }) => name),
    ...index.all.map(({ id }) => id),
  ];
}

/** The integrations that specific entries select, and those that none means. */
interface Unmanaged {
  /** How many integrations specific entries select. */
  readonly managed: number;
  /** Those that get entries, with new names. */
  readonly named: readonly Named[];
  /** Those whose entries are null, which is for a person to change. */
  readonly stopped: readonly Stopped[];
}

/** An integration, the name of its entry, and the null in place of that. */
export interface Stopped extends Named {
  readonly stop: Declaration;
}

function unmanagedIn(
  index: LiveIndex,
  { pairs, moved }: LaterPairing,
  { existing: { entries }, taken, overlay }: PullInput,
): Unmanaged {
  const selected = selectedBy(entries, index);
  const claimed = new Set<LiveIntegration>();
  for (const { integration } of [...pairs, ...moved]) claimed.add(integration);
  if (overlay?.isFirst !== true) {
    for (const integration of selected.managed) claimed.add(integration);
  }
  const known = entries.map(({ name }) => name);
  const freeName = uniquely([RESERVED, ABSENT_FILE, ...taken, ...known], '-');
  const named: Named[] = [];
  const stopped: Stopped[] = [];
  for (const integration of index.all) {
    if (claimed.has(integration)) continue;
    const stop = selected.stops.get(integration);
    if (stop !== undefined) {
      stopped.push({ integration, name: stop.entry, stop });
      continue;
    }
    named.push({ integration, name: freeName(entryName(integration.id)) });
  }
  return { managed: selected.managed.size, named, stopped };
}
