import type { Selector } from '../config/declaration.ts';
import { selectorOf } from '../config/entry.ts';
import { mayMeet } from '../model/glob.ts';
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
 * Makes the finder of secrecy. A secret at the base or the tip still is one. If
 * an entry does not declare a value at a revision, others that may select the
 * same integrations may: only a server knows which do.
 */
export function secrecyFinder(revisions: DeclaredRevisions): SecrecyFinder {
  const before = new DeclaredSecrets(revisions.before);
  const after = new DeclaredSecrets(revisions.after);
  const tip = new DeclaredSecrets(revisions.tip);
  return (pair, option) => {
    const { base, head } = pair;
    const selectors: Selector[] = [];
    for (const declared of [base, head]) {
      if (declared !== undefined) selectors.push(selectorOf(declared.entry));
    }
    const now = after.secrecyOf(head, option, selectors) ?? {};
    // What the base does not declare, it does not call public.
    const then = before.secrecyOf(base, option, selectors) ?? {};
    const atTip = tip.secrecyOf(tip.named(pair.name), option, selectors);
    return declaredSecrecy(declaredSecrecy(now, then), atTip);
  };
}

/** The secrets that the entries of one revision declare. */
class DeclaredSecrets {
  readonly #byName = new Map<string, DeclaredEntry>();
  /** The selectors of entries that mark an option, by its key. */
  readonly #marking = new Map<string, Selector[]>();
  /** Those of entries that give an option a secret value. */
  readonly #holding = new Map<string, Selector[]>();

  constructor(entries: readonly DeclaredEntry[]) {
    for (const declared of entries) {
      const { entry, settings } = declared;
      this.#byName.set(entry.name, declared);
      const selector = selectorOf(entry);
      for (const { option, secrecy } of settings.options.values()) {
        if (secrecy.mark === true) add(this.#marking, option, selector);
        const isHeld = secrecy.isSecretByValue === true;
        if (isHeld) add(this.#holding, option, selector);
      }
    }
  }

  named(name: string): DeclaredEntry | undefined {
    return this.#byName.get(name);
  }

  /**
   * What an entry says of an option; what it leaves open, entries may say that
   * mean the same integrations as `selectors`. Undefined if none says anything.
   */
  secrecyOf(
    declared: DeclaredEntry | undefined,
    option: string,
    selectors: readonly Selector[],
  ): DeclaredSecrecy | undefined {
    const own = declared?.settings.options.get(option);
    const mark =
      own?.secrecy.mark ?? meetsAny(selectors, this.#marking.get(option));
    const isSecretByValue =
      own?.value === undefined
        ? meetsAny(selectors, this.#holding.get(option))
        : own.secrecy.isSecretByValue;
    const isOpen = mark === undefined && isSecretByValue === undefined;
    if (declared === undefined && isOpen) return undefined;
    return { mark, isSecretByValue };
  }
}

function add(
  byOption: Map<string, Selector[]>,
  option: string,
  selector: Selector,
): void {
  const selectors = byOption.get(option) ?? [];
  selectors.push(selector);
  byOption.set(option, selectors);
}

/** True if an integration may exist that one of each list matches. */
function meetsAny(
  selectors: readonly Selector[],
  others: readonly Selector[] = [],
): true | undefined {
  const meets = selectors.some((selector) => {
    return others.some((other) => mayMeetIn(selector, other));
  });
  return meets || undefined;
}

/** Whether an integration may exist that two selectors match. */
function mayMeetIn(one: Selector, other: Selector): boolean {
  return (
    mayMeet(one.id ?? '*', other.id ?? '*') &&
    mayMeet(one.name ?? '*', other.name ?? '*') &&
    mayMeet(one.acronym ?? '*', other.acronym ?? '*')
  );
}
