import { joinFiles } from '../config/config.ts';
import {
  type Entry,
  joinParts,
  selectorOf,
  selectorText,
  stopOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { parseFile, type WrittenFile } from '../config/parse-file.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import type { Checked } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { baseOfGlob, baseOfId, isPathSafe } from '../model/ids.ts';
import { grouped } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { SourceFile } from '../model/place.ts';
import { selectedBy } from '../model/selected.ts';
import { type Bond, type Identity, identify, meantConfig } from './identity.ts';
import { entryName, type NewFiles, RESERVED, uniquely } from './names.ts';

/** What a pull starts from. */
export interface PullInput {
  live: readonly LiveIntegration[];
  /** The layers of the server, earliest first; those of the folders too. */
  layers: readonly PullLayer[];
  /** Where the entries of new integrations go. */
  base: PullFolder;
  /** Where a server has what others have otherwise. */
  own: PullFolder;
  /**
   * Whether its fields are compared with shared entries: later they are not.
   */
  isFirst: boolean;
  /** The files that only other servers read. */
  others: readonly SourceFile[];
  /** The files that references name. */
  table: ReferenceTable;
  /** The name that all variables begin with, in a copy for one server. */
  prefix?: string | undefined;
  /** A glob on ids and names. */
  only?: string | undefined;
  /** The path of the schema for editors, from where the folders are. */
  schema: string;
}

/** A layer of the server of a pull. */
interface PullLayer {
  files: readonly SourceFile[];
  /** Whether another server reads it too. */
  isShared: boolean;
}

/** A folder that a pull writes to. */
export interface PullFolder extends NewFiles {
  /** The index of its layer. */
  layer: number;
}

/** All that a pull knows before it writes an entry. */
export interface PullState extends Known {
  /** The integrations that get an entry. */
  adopted: readonly NewIntegration[];
  /** Shared entries whose fields are compared. */
  compared: readonly Bond[];
  /** Shared entries that get another match here. */
  rematched: readonly Bond[];
  /** Shared entries of what is not installed. */
  stopped: readonly Entry[];
  /** Entries that a person has to look at. */
  left: readonly LeftOut[];
}

/** What belongs to whom, whatever `only` selects. */
interface Known extends PullInput {
  parsed: readonly (readonly Checked<WrittenFile>[])[];
  config: WrittenConfig;
  /** What is installed under ids that can be written to. */
  index: LiveIndex;
  identity: Identity;
  /** What is asked of the integrations that belong to an entry. */
  desired: readonly DesiredIntegration[];
  /** Those that belong to none, with the names of their entries. */
  unmanaged: readonly NewIntegration[];
}

/** An integration that belongs to no entry. */
export interface NewIntegration {
  integration: LiveIntegration;
  name: string;
  isOwn: boolean;
}

/** A field, option or integration that is not written, and why. */
export interface LeftOut {
  address: string;
  reason: string;
}

export const NO_CONFIG: WrittenConfig = { values: new Map(), entries: [] };

/** Finds what belongs to whom. */
export function stateOf(input: PullInput): PullState {
  const { layers, live, table } = input;
  const parsed = layers.map(({ files }) => files.map(parseFile));
  const config = joinFiles(parsed).value ?? NO_CONFIG;
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const identity = identify(config, index);
  const asked = resolveConfig(meantConfig(config, identity), table);
  const { integrations: desired } = matchEntries(asked, index.all);
  const unmanaged = namedIn(identity.free, config, input);
  const known = { parsed, config, index, identity, desired, unmanaged };
  return withFates({ ...input, ...known });
}

/** Decides what becomes of the entries and integrations that `only` selects. */
function withFates(known: Known): PullState {
  const { isFirst, only, config, identity, unmanaged } = known;
  const { isOverlaid, isFixed } = ownershipIn(known);
  const isMeant = selectedBy(only);
  const bonds = identity.bonds.filter(({ entry, integration }) =>
    isMeant(entry.name, integration.id, integration.name),
  );
  const owners = grouped(bonds, ({ integration }) => integration.id);
  const isAlone = ({ integration: { id } }: Bond): boolean =>
    owners.get(id)?.length === 1;
  const compared = bonds.filter(
    (bond) => isFirst && isOverlaid(bond.entry) && isAlone(bond),
  );
  const moved = bonds.filter(
    (bond) => bond.match !== undefined && !compared.includes(bond),
  );
  const left: LeftOut[] = [];
  if (isFirst)
    for (const { entry } of bonds.filter((bond) => !isAlone(bond)))
      left.push({ address: entry.name, reason: SEVERAL });
  for (const { entry, match } of moved.filter(isFixed)) {
    const old = selectorText(selectorOf(entry));
    const reason = `change its match, ${old}, to ${match}`;
    left.push({ address: entry.name, reason });
  }
  for (const [integration, { entry, place }] of identity.stopped) {
    const reason = `null in ${place.file}; remove that to manage it`;
    if (isMeant(entry, integration.id, integration.name))
      left.push({ address: entry, reason });
  }
  const absent = identity.absent.filter(isOverlaid);
  const stops = config.entries.filter(stopOf);
  const present = stops.length + identity.bonds.length;
  const seesTooLittle = !isFirst && absent.length > present;
  const gone = absent.filter(({ name }) => isMeant(name));
  if (seesTooLittle)
    for (const { name } of gone)
      left.push({ address: name, reason: TOO_LITTLE });
  return {
    ...known,
    adopted: unmanaged.filter(({ name, integration }) =>
      isMeant(name, integration.id, integration.name),
    ),
    compared,
    rematched: moved.filter((bond) => !isFixed(bond)),
    stopped: seesTooLittle ? [] : gone,
    left,
  };
}

const SEVERAL = 'not compared, as several entries select its integration';
const TOO_LITTLE = 'this account sees too few integrations to tell';

/** Whose files have an entry. */
interface Ownership {
  /** Whether shared files have it, and the server's own do not. */
  isOverlaid: (entry: Entry) => boolean;
  /**
   * Whether the server's own files have its match, or all of it: a pull edits
   * none.
   */
  isFixed: (bond: Bond) => boolean;
}

function ownershipIn({ layers, parsed }: Known): Ownership {
  const shared = new Set<string>();
  const own = new Set<string>();
  const ownPaths = new Set<string>();
  for (const [at, { files, isShared }] of layers.entries()) {
    const names = isShared ? shared : own;
    for (const { value } of parsed[at] ?? [])
      for (const { name } of value?.entries ?? []) names.add(name);
    if (isShared) continue;
    for (const { path } of files) ownPaths.add(path);
  }
  return {
    isOverlaid: ({ name }) => shared.has(name) && !own.has(name),
    isFixed: ({ entry: { name, match } }) =>
      !shared.has(name) || ownPaths.has(match?.place.file ?? ''),
  };
}

/** The file for the entries of other servers that one lacks. */
export const ABSENT_FILE = 'not-installed';

/**
 * Names the entries of integrations. One that another server has in a file of
 * its own keeps its name, and is shared by nobody: it may not be alike, and two
 * entries there would select it.
 */
function namedIn(
  free: readonly LiveIntegration[],
  { entries }: WrittenConfig,
  { others, base, own }: PullInput,
): NewIntegration[] {
  const taken = new Set(entries.map(({ name }) => name));
  const twins = new Map<string, string>();
  for (const part of others.flatMap(
    (file) => parseFile(file).value?.entries ?? [],
  )) {
    const { id = '' } = selectorOf(joinParts([part]));
    const twin = twins.get(baseOfGlob(id));
    if (twin === undefined || taken.has(twin))
      twins.set(baseOfGlob(id), part.name);
  }
  const freeName = uniquely(
    [
      RESERVED,
      ABSENT_FILE,
      ...base.taken,
      ...own.taken,
      ...taken,
      ...twins.values(),
    ],
    '-',
  );
  return free.map((integration) => {
    const id = baseOfId(integration.id);
    const twin = twins.get(id);
    const isFree = twin !== undefined && !taken.has(twin);
    const name = isFree ? twin : freeName(entryName(integration.id));
    taken.add(name);
    const isOwn = twin !== undefined || base.path === own.path;
    return { integration, name, isOwn };
  });
}
