import { joinFiles } from '../config/config.ts';
import type { Declaration } from '../config/declaration.ts';
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

/** Where secrets are written, beside the YAML. */
export interface SecretPlaces {
  /** Whether a variable of the dotenv file can hold a text. */
  readonly isSayable: (text: string) => boolean;
  /**
   * The folder of files for other texts, as references name it, or why there
   * can be none.
   */
  readonly folder: { readonly path: string } | { readonly reason: string };
  /** Why a text cannot be a file; undefined if it can. */
  readonly flawOfFile: (text: string) => string | undefined;
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

/** All that a pull knows before it writes an entry. */
export interface PullState extends PullInput {
  readonly parsed: readonly (readonly Checked<WrittenFile>[])[];
  readonly config: WrittenConfig;
  /** What is installed under ids that can be written to. */
  readonly index: LiveIndex;
  readonly identity: Identity;
  /** What is asked of the integrations that belong to an entry. */
  readonly desired: readonly DesiredIntegration[];
  /** Those that belong to none, with the names of their entries. */
  readonly unmanaged: readonly NewIntegration[];
  /** What `only` selects of all these. */
  readonly parts: PullParts;
}

/** An integration that belongs to no entry. */
export interface NewIntegration {
  readonly integration: LiveIntegration;
  readonly name: string;
  readonly isOwn: boolean;
}

/** What a pull is of, by what becomes of it. */
interface PullParts {
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
  /** The entries that are null, of integrations that are left alone. */
  readonly nulls: readonly Declaration[];
}

export const NOTHING: WrittenConfig = { values: new Map(), entries: [] };

/** Finds what belongs to whom, and what becomes of it. */
export function stateOf(input: PullInput): PullState {
  const { layers, live, table } = input;
  const parsed = layers.map(({ files }) => files.map(parseFile));
  const config = joinFiles(parsed).value ?? NOTHING;
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const identity = identify(config, index);
  const asked = resolveConfig(meantConfig(config, identity), table);
  const { integrations: desired } = matchEntries(asked, index.all);
  const unmanaged = namedIn(identity.free, config, index, input);
  const known = { ...input, parsed, config, index, identity, unmanaged };
  return { ...known, desired, parts: partsOf(known) };
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

/** Whose files have an entry. */
interface Ownership {
  /** Whether shared files have it, and the server's own do not. */
  readonly isOverlaid: (entry: Entry) => boolean;
  /** Whether the server's own files have its match, or all of it: a pull edits none. */
  readonly isFixed: (bond: Bond) => boolean;
}

function ownershipIn({
  layers,
  parsed,
}: Pick<PullState, 'layers' | 'parsed'>): Ownership {
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

/** Sorts what `only` selects by what becomes of it. */
function partsOf(state: Omit<PullState, 'parts' | 'desired'>): PullParts {
  const { isFirst, only = '*', config, identity, unmanaged } = state;
  const { isOverlaid, isFixed } = ownershipIn(state);
  const matches = globMatcher(only);
  const isMeant = (name: string, { id }: LiveIntegration): boolean =>
    matches(name) || matches(id);
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
  const gone = absent.filter(({ name }) => matches(name));
  const nulls: Declaration[] = [];
  for (const [integration, stop] of identity.stopped) {
    if (isMeant(stop.entry, integration)) nulls.push(stop);
  }
  return {
    adopted: unmanaged.filter((each) => isMeant(each.name, each.integration)),
    compared,
    rematched: moved.filter((bond) => !isFixed(bond)),
    outdated: moved.filter(isFixed),
    stopped: seesTooLittle ? [] : gone,
    unseen: seesTooLittle ? gone : [],
    nulls,
  };
}
