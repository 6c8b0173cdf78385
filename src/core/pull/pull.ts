import { outsideReferences } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { byId } from '../model/lists.ts';
import {
  entryFile,
  isManaging,
  type WrittenEntry,
  writtenOption,
} from './entry.ts';
import { matchOf } from './identity.ts';
import { filesIn, uniquely, variableName } from './names.ts';
import { overlayOf } from './overlay.ts';
import { proven } from './prove.ts';
import { type EntriesReport, reportOf } from './report.ts';
import type { ShownVariables } from './secrets.ts';
import {
  ABSENT_FILE,
  type PullInput,
  type PullState,
  stateOf,
} from './state.ts';

/** What a pull writes, and what is to be known of it. */
export interface Pulled {
  report: EntriesReport;
  files: readonly PulledFile[];
  /** What the server shows of all variables of the configuration. */
  shown: ShownVariables;
  /** The names and ids that `only` could have meant. */
  names: readonly string[];
}

interface PulledFile {
  path: string;
  text: string;
}

/**
 * Writes an entry for each integration that belongs to none, and in an overlay
 * what of shared entries is not so here. The same server leads to the same
 * text, and nothing that stands is written again.
 */
export function pullEntries(input: PullInput): Pulled {
  const state = stateOf(input);
  const { unmanaged, config, index } = state;
  const proof = proven(entriesOf(state), state);
  return {
    report: reportOf(state, proof),
    files: filesOf(proof.entries.filter(isManaging), input),
    shown: proof.shown,
    names: [
      ...unmanaged.map(({ name }) => name),
      ...config.entries.map(({ name }) => name),
      ...index.all.map(({ id }) => id),
    ],
  };
}

/**
 * Writes the entries of new integrations, and what of shared ones is not so
 * here.
 */
function entriesOf(state: PullState): WrittenEntry[] {
  const { prefix = '', config, index, desired } = state;
  const outside = [...outsideReferences(config).values()];
  const names = outside.map(({ name }) => name);
  const freeVariable = uniquely(names, '_');
  const referTo = (entry: string, option: string): string =>
    `\${env:${freeVariable(variableName([prefix, entry, option]))}}`;
  const entries: WrittenEntry[] = [];
  for (const { integration, name, isOwn } of state.adopted) {
    const { autosubscribe } = integration;
    const options = [...integration.options.values()].map((option) =>
      writtenOption(option, () => referTo(name, option.key)),
    );
    const match = matchOf(integration, index);
    entries.push({ name, isOwn, match, autosubscribe, options });
  }
  const common = { isOwn: true, isOverlay: true, options: [] } as const;
  const known = byId(desired);
  for (const bond of state.compared) {
    const asked = known.get(bond.integration.id);
    if (asked !== undefined) entries.push(overlayOf(bond, asked, referTo));
  }
  for (const { entry, match } of state.rematched)
    entries.push({ ...common, name: entry.name, match });
  for (const { name } of state.stopped)
    entries.push({ ...common, name, stop: 'not installed here' });
  return entries;
}

/** A file for each entry, and one for all that are only taken back. */
function filesOf(
  entries: readonly WrittenEntry[],
  { schema, base, own }: PullInput,
): PulledFile[] {
  const files: PulledFile[] = [];
  const nameIn = new Map([base, own].map((each) => [each.path, filesIn(each)]));
  const add = (name: string, inFile: readonly WrittenEntry[]): void => {
    const { path } = inFile[0]?.isOwn ? own : base;
    const up = path.replace(/[^/]+/g, '..');
    const { text } = entryFile(inFile, `${up}${schema}`);
    files.push({ path: `${nameIn.get(path)?.(name)}.yaml`, text });
  };
  const byName = [...entries].sort((a, b) => compareText(a.name, b.name));
  const stopped = byName.filter(({ stop }) => stop !== undefined);
  if (stopped.length > 0) add(ABSENT_FILE, stopped);
  for (const entry of byName)
    if (entry.stop === undefined) add(entry.name, [entry]);
  return files.sort((a, b) => compareText(a.path, b.path));
}
