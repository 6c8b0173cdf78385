import { joinFiles } from '../config/config.ts';
import {
  type Entry,
  joinParts,
  selectorOf,
  stopOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { parseFile, type WrittenFile } from '../config/read-file.ts';
import { type ReferenceTable, resolveConfig } from '../config/resolve.ts';
import type { Checked } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfGlob, baseOfId, isPathSafe } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { SourceFile } from '../model/place.ts';
import {
  type Bond,
  type Identity,
  identify,
  matchOf,
  meantConfig,
} from './identity.ts';
import { entryName, type NewFiles, RESERVED, uniquely } from './names.ts';
import type { SecretPlaces } from './secrets.ts';

/** What a pull starts from. */
export interface PullInput {
  readonly live: readonly LiveIntegration[];
  /** The layers of the server, earliest first; those of the folders too. */
  readonly layers: readonly PullLayer[];
  /** Where the entries of new integrations go. */
  readonly base: PullFolder;
  /** Where a server has what others have otherwise. */
  readonly own: PullFolder;
  /** Whether its fields are compared with shared entries: later they are not. */
  readonly isFirst: boolean;
  /** The files that only other servers read. */
  readonly others: readonly SourceFile[];
  /** The files that references name. */
  readonly table: ReferenceTable;
  /** The name that all variables begin with, in a copy for one server. */
  readonly prefix?: string | undefined;
  /** A glob on ids and names. */
  readonly only?: string | undefined;
  /** The path of the schema for editors, from where the folders are. */
  readonly schema: string;
  /** Absent if no file for secrets was asked for. */
  readonly secrets?: SecretPlaces | undefined;
}

/** A layer of the server of a pull. */
interface PullLayer {
  readonly files: readonly SourceFile[];
  /** Whether another server reads it too. */
  readonly isShared: boolean;
}

/** A folder that a pull writes to. */
export interface PullFolder extends NewFiles {
  /** The index of its layer. */
  readonly layer: number;
}

/** What stands where. */
interface Standing {
  /** The names of entries that other servers share. */
  readonly sharedNames: ReadonlySet<string>;
  /** Those that layers of this server alone mention. */
  readonly ownNames: ReadonlySet<string>;
  readonly ownFiles: ReadonlySet<string>;
}

/** All that a pull knows before it writes an entry. */
export interface PullState extends PullInput, Standing {
  readonly parsed: readonly (readonly Checked<WrittenFile>[])[];
  readonly config: WrittenConfig;
  /** What is installed under ids that can be written to. */
  readonly index: LiveIndex;
  readonly identity: Identity;
  /** What is asked of the integrations that belong to an entry. */
  readonly desired: readonly DesiredIntegration[];
  /** Those that belong to none, with the names of their entries. */
  readonly unmanaged: readonly NewIntegration[];
  readonly isMeant: (name: string, integration?: LiveIntegration) => boolean;
}

/** An integration that belongs to no entry. */
export interface NewIntegration {
  readonly integration: LiveIntegration;
  readonly name: string;
  readonly isOwn: boolean;
}

/** The parts of a pull that `only` selects, by what becomes of them. */
export interface PullParts {
  readonly adopted: readonly NewIntegration[];
  /** Shared entries whose fields are compared. */
  readonly compared: readonly Bond[];
  /** Shared entries that get another match here. */
  readonly rematched: readonly Bond[];
  /** Entries of the server's own files, whose match a person has to change. */
  readonly outdated: readonly Bond[];
  /** Shared entries of what is not installed. */
  readonly stopped: readonly Entry[];
  /** The same, if the account sees too little to tell. */
  readonly unseen: readonly Entry[];
}

const NOTHING: WrittenConfig = { values: new Map(), entries: [] };

/** Finds what belongs to whom, and where it stands. */
export function stateOf(input: PullInput): PullState {
  const { layers, live, table, only = '*' } = input;
  const parsed = layers.map(({ files }) => files.map(parseFile));
  const config = joinFiles(parsed).value ?? NOTHING;
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const identity = identify(config, index);
  const asked = resolveConfig(meantConfig(config, identity), table);
  const matches = globMatcher(only);
  return {
    ...input,
    parsed,
    config,
    index,
    identity,
    desired: matchEntries(asked, index.all).integrations,
    unmanaged: namedIn(identity.free, config, index, input),
    ...standing(parsed, layers),
    isMeant: (name, integration) =>
      matches(name) || (integration !== undefined && matches(integration.id)),
  };
}

function standing(
  parsed: PullState['parsed'],
  layers: readonly PullLayer[],
): Standing {
  const sharedNames = new Set<string>();
  const ownNames = new Set<string>();
  const ownFiles = new Set<string>();
  for (const [index, { isShared, files }] of layers.entries()) {
    const names = isShared ? sharedNames : ownNames;
    for (const { value } of parsed[index] ?? [])
      for (const { name } of value?.entries ?? []) names.add(name);
    if (!isShared) for (const { path } of files) ownFiles.add(path);
  }
  return { sharedNames, ownNames, ownFiles };
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
  index: LiveIndex,
  { others, base, own }: PullInput,
): NewIntegration[] {
  const taken = new Set(entries.map(({ name }) => name));
  const parts = others.flatMap((file) => parseFile(file).value?.entries ?? []);
  const matchedByOthers = new Set<string>();
  const twins = new Map<string, string>();
  for (const part of parts) {
    const { id = '' } = selectorOf(joinParts([part]));
    matchedByOthers.add(id);
    if (!taken.has(part.name)) twins.set(baseOfGlob(id), part.name);
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
    const { id } = integration;
    const twin = twins.get(baseOfId(id));
    twins.delete(baseOfId(id));
    const name = twin ?? freeName(entryName(id));
    const isOfOthers = matchedByOthers.has(matchOf(integration, index));
    const isOwn = twin !== undefined || isOfOthers || base.path === own.path;
    return { integration, name, isOwn };
  });
}

/** Sorts what `only` selects by what becomes of it. */
export function partsOf(state: PullState): PullParts {
  const { identity, config, isFirst, isMeant, unmanaged } = state;
  const { sharedNames, ownNames, ownFiles } = state;
  const isOverlaid = ({ name }: Entry): boolean =>
    sharedNames.has(name) && !ownNames.has(name);
  const isFixed = ({ entry }: Bond): boolean =>
    ownFiles.has(entry.match?.place.file ?? '') || !sharedNames.has(entry.name);
  const bonds = identity.bonds.filter(({ entry, integration }) =>
    isMeant(entry.name, integration),
  );
  const compared = isFirst
    ? bonds.filter(({ entry }) => isOverlaid(entry))
    : [];
  const moved = bonds.filter(
    (bond) => bond.match !== undefined && !compared.includes(bond),
  );
  const absent = identity.absent.filter(isOverlaid);
  const known = config.entries.filter(stopOf).length + identity.bonds.length;
  const seesTooLittle = !isFirst && absent.length > known;
  const meant = absent.filter(({ name }) => isMeant(name));
  return {
    adopted: unmanaged.filter((each) => isMeant(each.name, each.integration)),
    compared,
    rematched: moved.filter((bond) => !isFixed(bond)),
    outdated: moved.filter(isFixed),
    stopped: seesTooLittle ? [] : meant,
    unseen: seesTooLittle ? meant : [],
  };
}
