import { isDefault } from '../config/entry.ts';
import { grouped } from '../model/json.ts';
import { type DeclaredSecrecy, declaredSecrecy } from '../model/secrecy.ts';
import type { DeclaredEntry, EntryPair } from './entries.ts';

/** The entries of the configurations that a diff is made of. */
export interface DeclaredRevisions {
  readonly before: readonly DeclaredEntry[];
  readonly after: readonly DeclaredEntry[];
  /** Another revision, whose secrets are secrets here too. */
  readonly tip: readonly DeclaredEntry[];
}

/** Finds the secrecy of an option of an entry at two revisions. */
export type SecrecyFinder = (
  pair: EntryPair,
  option: string,
) => DeclaredSecrecy;

/**
 * Makes the finder of secrecy. A secret at the base or the tip still is one,
 * and so is what any entry marks, or takes from outside if it may select the
 * same integrations: only a server knows which do.
 */
export function secrecyFinder(revisions: DeclaredRevisions): SecrecyFinder {
  const { before, after, tip } = revisions;
  const byName = grouped([...before, ...after], ({ entry }) => entry.name);
  // It may select what another entry selects.
  const isWide = ({ entry }: DeclaredEntry): boolean =>
    isDefault(entry) || byName.get(entry.name)?.length !== 2;
  const everywhere = secretKeysOf([...before, ...after, ...tip], isWide);
  const tips = new Map(tip.map((declared) => [declared.entry.name, declared]));
  return (pair, option) => {
    const { name } = pair;
    const { mark, isSecretByValue } = ownSecrecy(pair, tips.get(name), option);
    const isPairWide = byName.get(name)?.some(isWide) === true;
    const { marked, anywhere, wide } = everywhere;
    const elsewhere = isPairWide ? anywhere : wide;
    return {
      mark: marked.has(option) || mark,
      isSecretByValue: isSecretByValue === true || elsewhere.has(option),
    };
  };
}

/** Keys of options that some entry makes secrets. */
interface SecretKeys {
  readonly marked: ReadonlySet<string>;
  /** Those with values from outside in any entry. */
  readonly anywhere: ReadonlySet<string>;
  /** Those in entries that may select what another entry selects. */
  readonly wide: ReadonlySet<string>;
}

function secretKeysOf(
  entries: readonly DeclaredEntry[],
  isWide: (entry: DeclaredEntry) => boolean,
): SecretKeys {
  const marked = new Set<string>();
  const anywhere = new Set<string>();
  const wide = new Set<string>();
  for (const declared of entries) {
    for (const {
      option,
      secrecy,
      value,
    } of declared.settings.options.values()) {
      if (secrecy.mark === true) marked.add(option);
      const isLiteral = value === undefined || value.want.kind === 'literal';
      if (isLiteral) continue;
      anywhere.add(option);
      if (isWide(declared)) wide.add(option);
    }
  }
  return { marked, anywhere, wide };
}

/** What the revisions of one entry say of an option: a secret of an earlier one stays one. */
function ownSecrecy(
  { base, head }: EntryPair,
  tip: DeclaredEntry | undefined,
  option: string,
): DeclaredSecrecy {
  const sinceBase = declaredSecrecy(
    secrecyIn(head, option),
    secrecyIn(base, option),
  );
  if (tip === undefined) return sinceBase;
  return declaredSecrecy(sinceBase, secrecyIn(tip, option));
}

function secrecyIn(
  declared: DeclaredEntry | undefined,
  option: string,
): DeclaredSecrecy {
  return declared?.settings.options.get(option)?.secrecy ?? {};
}
