import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { nearNames } from '../model/near-names.ts';

/**
 * The integrations whose id, name or acronym is spelled nearly like one of the words of a selector, best first; after them
 * those that begin like it.
 */
export function nearIntegrations(
  words: readonly string[],
  live: readonly LiveIntegration[],
): readonly LiveIntegration[] {
  const names = live.flatMap((integration) => namesOf(integration).map((name) => ({ name, integration })));
  const known = [...new Set(names.map(({ name }) => name))];
  const near = words.map(literalPart).flatMap((word) => {
    const written = nearNames(word, known);
    const start = word.slice(0, 3);
    return [
      ...written.flatMap((name) => names.filter((each) => each.name === name)),
      ...names.filter(({ name }) => start !== '' && name.startsWith(start)),
    ];
  });
  return [...new Set(near.map(({ integration }) => integration))];
}

/** The glob that was meant where a word is the id of an integration without its suffix. */
export function forgottenGlob(
  words: readonly string[],
  live: readonly LiveIntegration[],
): string | undefined {
  const wanted = new Set(words.map(plain));
  const base = live.map(({ id }) => baseOfId(id)).find((each) => wanted.has(plain(each)));
  return base === undefined ? undefined : `${base}_*`;
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
