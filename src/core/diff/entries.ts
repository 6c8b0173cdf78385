import type { ValueSetter } from '../config/declaration.ts';
import { selectionKey } from '../config/entry.ts';
import type {
  ResolvedConfig,
  ResolvedEntry,
  ResolvedValue,
} from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { gather } from '../match/gather.ts';
import type { Settings } from '../model/desired.ts';
import { grouped } from '../model/json.ts';

/** An entry, and what it alone asks of an integration. */
export interface DeclaredEntry {
  readonly entry: ResolvedEntry;
  readonly settings: Settings;
}

/** An entry at two revisions; a renamed one has another name at each. */
export interface EntryPair {
  readonly name: string;
  readonly base?: DeclaredEntry | undefined;
  readonly head?: DeclaredEntry | undefined;
}

/** Gathers what each entry of a configuration asks for. */
export function declaredEntries(config: ResolvedConfig): DeclaredEntry[] {
  return config.map((entry) => {
    const { settings } = gather(entry.name, [withoutGaps(entry)]);
    return { entry, settings };
  });
}

/** An entry in which a value counts as empty if its named value is missing. */
function withoutGaps(entry: ResolvedEntry): ResolvedEntry {
  const resolved = new Map<ValueSetter, ResolvedValue>();
  for (const [setter, value] of entry.resolved) {
    const { want = { kind: 'literal', value: '' } } = value;
    resolved.set(setter, { ...value, want });
  }
  return { ...entry, resolved };
}

/** Pairs entries by their names, and renamed ones by what they select; ordered by name. */
export function pairEntries(
  before: readonly DeclaredEntry[],
  after: readonly DeclaredEntry[],
): EntryPair[] {
  const bases = new Map(before.map((base) => [base.entry.name, base]));
  const heads = new Set(after.map(({ entry }) => entry.name));
  const gone = before.filter(({ entry }) => !heads.has(entry.name));
  const added = after.filter(({ entry }) => !bases.has(entry.name));
  const origins = originsOf(added, gone);
  const pairs: EntryPair[] = [];
  for (const head of after) {
    const { name } = head.entry;
    pairs.push({ name, base: bases.get(name) ?? origins.get(head), head });
  }
  const renamed = new Set(origins.values());
  for (const base of gone) {
    if (!renamed.has(base)) pairs.push({ name: base.entry.name, base });
  }
  return pairs.sort((a, b) => compareText(a.name, b.name));
}

/** Finds which new entries are old ones under another name: the only two that select in the same words. */
function originsOf(
  added: readonly DeclaredEntry[],
  gone: readonly DeclaredEntry[],
): ReadonlyMap<DeclaredEntry, DeclaredEntry> {
  const selectionOf = ({ entry }: DeclaredEntry) => selectionKey(entry);
  const goneBySelection = grouped(gone, selectionOf);
  const origins = new Map<DeclaredEntry, DeclaredEntry>();
  for (const [selection, [head, ...others]] of grouped(added, selectionOf)) {
    const [base, ...more] = goneBySelection.get(selection) ?? [];
    const isClear = others.length + more.length === 0;
    if (base !== undefined && isClear) origins.set(head, base);
  }
  return origins;
}
