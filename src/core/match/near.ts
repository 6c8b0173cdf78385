import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';

/** Finds the integrations that a selector may mean. */
export type NearIntegrations = ReturnType<typeof nearIntegrations>;

/** Makes the names of integrations ready, to find those that a selector may mean. */
export function nearIntegrations(live: readonly LiveIntegration[]) {
  const suggestions = new Suggestions();
  const byName = grouped(
    live.flatMap((each) => namesOf(each).map((name) => ({ name, each }))),
    ({ name }) => name,
  );
  const byBase = grouped(live, ({ id }) => plain(baseOfId(id)));
  const names = [...byName.keys()];
  return {
    /** The integrations whose id, name or acronym is spelled nearly like one of the words of a selector, best first. */
    of: (words: readonly string[]): readonly LiveIntegration[] => {
      const near = words.flatMap((word) => suggestions.near(literalPart(word), () => names) ?? []);
      return [...new Set(near.flatMap((name) => byName.get(name) ?? []).map(({ each }) => each))];
    },
    /** The glob that means just the integration whose id a word has without its suffix. */
    forgottenGlob: (words: readonly string[]): string | undefined => {
      const [meant, ...others] = words.flatMap((word) => byBase.get(plain(word)) ?? []);
      return meant === undefined || others.length > 0 ? undefined : `${baseOfId(meant.id)}_*`;
    },
  };
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
