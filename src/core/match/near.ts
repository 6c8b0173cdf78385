import { grouped } from '../model/grouped.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';

/** Finds the integrations that a selector may mean; their names are made ready once. */
export class NearIntegrations {
  readonly #live: readonly LiveIntegration[];
  readonly #suggestions = new Suggestions();
  #byName: ReadonlyMap<string, readonly LiveIntegration[]> | undefined;
  #byBase: ReadonlyMap<string, readonly LiveIntegration[]> | undefined;

  constructor(live: readonly LiveIntegration[]) {
    this.#live = live;
  }

  /** The integrations whose id, name or acronym is spelled nearly like one of the words of a selector, best first. */
  of(words: readonly string[]): readonly LiveIntegration[] {
    const byName = this.#names();
    const names = words
      .map(literalPart)
      .flatMap((word) => this.#suggestions.near(word, () => [...byName.keys()]) ?? []);
    return [...new Set(names.flatMap((name) => byName.get(name) ?? []))];
  }

  /** The glob that means just the integration whose id a word has without its suffix. */
  forgottenGlob(words: readonly string[]): string | undefined {
    this.#byBase ??= grouped(this.#live, ({ id }) => plain(baseOfId(id)));
    const byBase = this.#byBase;
    const [meant, ...others] = words.flatMap((word) => byBase.get(plain(word)) ?? []);
    return meant === undefined || others.length > 0 ? undefined : `${baseOfId(meant.id)}_*`;
  }

  #names(): ReadonlyMap<string, readonly LiveIntegration[]> {
    if (this.#byName === undefined) {
      const named = this.#live.flatMap((each) => namesOf(each).map((name) => ({ name, each })));
      const groups = [...grouped(named, ({ name }) => name)];
      this.#byName = new Map(groups.map(([name, all]) => [name, all.map(({ each }) => each)]));
    }
    return this.#byName;
  }
}

/** The names of an integration; of its id only the part that is the same on every server. */
function namesOf({ id, name, acronym }: LiveIntegration): string[] {
  return [baseOfId(id), name, acronym].flatMap((text) => (text === undefined ? [] : [plain(text)]));
}

/** The longest part of a glob without wildcards. */
function literalPart(glob: string): string {
  const parts = baseOfId(glob).split(/[*?[\]{}()!+@|\\]+/);
  return plain(parts.reduce((longest, part) => (part.length > longest.length ? part : longest), ''));
}

/** A name in one form: `File Detonation` and `file_detonation` are alike. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
    .replace(/^_|_$/g, '');
}
