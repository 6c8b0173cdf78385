import { compareText } from '../findings/diagnostic.ts';
import type { LiveIndex } from '../match/live-index.ts';
import { grouped } from '../model/json.ts';
import type { Subject } from '../model/subject.ts';
import {
  entryFile,
  isManaging,
  type WrittenEntry,
  writtenOption,
} from './entry.ts';
import { matchOf } from './identity.ts';
import { filesIn } from './names.ts';
import { overlayOf } from './overlay.ts';
import { proven } from './prove.ts';
import { type EntriesReport, emptySecretsIn, reportOf } from './report.ts';
import {
  type PulledSecrets,
  type SecretWriting,
  secretWriting,
} from './secrets.ts';
import {
  ABSENT_FILE,
  type NewIntegration,
  type PullInput,
  type PullState,
  stateOf,
} from './state.ts';

/** What a pull writes, and what is to be known of it. */
export interface Pulled {
  readonly report: EntriesReport;
  readonly files: readonly PulledFile[];
  readonly secrets: PulledSecrets;
  /** The new secrets that read as empty, if the server shows none at all. */
  readonly emptySecrets: readonly Subject[];
  /** The names and ids that `only` could have meant. */
  readonly names: readonly string[];
}

interface PulledFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes an entry for each integration that belongs to none, and in an overlay
 * what of shared entries is not so here. The same server leads to the same
 * text, and nothing that stands is written again.
 */
export function pullEntries(input: PullInput): Pulled {
  const state = stateOf(input);
  const { config, index, parts, unmanaged } = state;
  const writing = secretWriting(state);
  const written = [
    ...parts.adopted.map((adopted) => newEntry(adopted, index, writing)),
    ...overlayEntries(state, writing),
  ];
  const proof = proven(written.filter(isManaging), state, writing.files);
  const { entries, shown } = proof;
  const options = entries.flatMap((entry) => entry.options);
  const used = new Set(options.map(({ reference }) => reference));
  const secretFiles = [...writing.files].filter(([path]) =>
    used.has(`\${file:${path}}`),
  );
  return {
    report: reportOf(state, proof),
    files: filesOf(entries, input),
    secrets: { shown, secretFiles: new Map(secretFiles) },
    emptySecrets: emptySecretsIn(entries, index.all),
    names: [
      ...unmanaged.map(({ name }) => name),
      ...config.entries.map(({ name }) => name),
      ...index.all.map(({ id }) => id),
    ],
  };
}

function newEntry(
  { integration, name, isOwn }: NewIntegration,
  index: LiveIndex,
  { referrerOf }: SecretWriting,
): WrittenEntry {
  const { autosubscribe } = integration;
  const options = [...integration.options.values()].map((option) =>
    writtenOption({ option, referTo: referrerOf(name, option.key) }),
  );
  const match = matchOf(integration, index);
  return { name, isOwn, match, autosubscribe, options };
}

/** What of shared entries is not so on this server. */
function overlayEntries(
  { desired, parts: { compared, rematched, stopped } }: PullState,
  writing: SecretWriting,
): WrittenEntry[] {
  const common = { isOwn: true, isOverlay: true, options: [] } as const;
  const entries: WrittenEntry[] = [];
  const byId = grouped(compared, ({ integration }) => integration.id);
  for (const asked of desired)
    for (const entry of overlayOf(byId.get(asked.id) ?? [], asked, writing))
      entries.push({ ...common, ...entry });
  for (const { entry, match } of rematched)
    entries.push({ ...common, name: entry.name, match });
  for (const { name } of stopped)
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
    files.push({ path: nameIn.get(path)?.(name) ?? '', text });
  };
  const byName = [...entries].sort((a, b) => compareText(a.name, b.name));
  const stopped = byName.filter(({ stop }) => stop !== undefined);
  if (stopped.length > 0) add(ABSENT_FILE, stopped);
  for (const entry of byName)
    if (entry.stop === undefined) add(entry.name, [entry]);
  files.sort((a, b) => compareText(a.path, b.path));
  return files.map(({ path, text }) => ({ path: `${path}.yaml`, text }));
}
