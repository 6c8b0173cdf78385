import { compareText } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';

/** What the names of new entries must differ from, and what they must not show. */
export interface NamesAround {
  /** The names of all entries that are there. */
  readonly taken: readonly string[];
  /** Whether a text shows a secret. */
  readonly isShowing: (text: string) => boolean;
}

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/** Words that Windows takes for devices, whatever the extension: a file with such a name cannot be checked out there. */
export function isDeviceName(word: string): boolean {
  return /^(con|prn|aux|nul|(com|lpt)\d)$/i.test(word);
}

/** The most characters of a name before its number; longer parts of ids are no words. */
const LONGEST = 40;

/**
 * A logical name for each integration, by its id: the part of the id that outlasts an upgrade, else its name or acronym, in
 * small letters. Those that come to one name are told apart by their names, else numbered in the order of their ids. `all` are
 * all installed integrations: no name is the id of another one.
 */
export function logicalNames(
  integrations: readonly LiveIntegration[],
  all: readonly LiveIntegration[],
  { taken, isShowing }: NamesAround,
): ReadonlyMap<string, string> {
  const used = new Set([RESERVED, ...taken.map((name) => name.toLowerCase())]);
  // Of ids that differ by case alone the one in small letters is last, and keeps its name.
  const ids = all.map(({ id }) => id).sort(compareText);
  const owners = new Map(ids.map((id) => [id.toLowerCase(), id]));
  const names = new Map<string, string>();
  for (const integration of integrations.toSorted((a, b) => compareText(a.id, b.id))) {
    const isFree = (name: string) => {
      const owner = owners.get(name) ?? integration.id;
      return !used.has(name) && !isDeviceName(name) && owner === integration.id;
    };
    const shown = candidates(integration).filter((name) => !isShowing(name));
    const wanted = shown.length > 0 ? shown : ['integration'];
    const name = wanted.find(isFree) ?? numbered(wanted[0] ?? '', isFree);
    used.add(name);
    names.set(integration.id, name);
  }
  return names;
}

/** What an integration may be called, best first; its acronym only where nothing else is a name. */
function candidates({ id, name = '', acronym = '' }: LiveIntegration): string[] {
  const words = [id, name].map((text) => slug(baseOfId(text))).filter(isName);
  const chosen = [...words.filter((word) => !isOpaque(word)), ...words.filter(isOpaque)];
  return chosen.length > 0 ? chosen : [slug(acronym)].filter(isName);
}

function isName(word: string): boolean {
  return /[a-z]/.test(word) && word.length <= LONGEST;
}

/** A text in small letters, digits and dashes. */
function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Whether a word has a part that no person chose, such as a digest. */
function isOpaque(word: string): boolean {
  return /(?=[a-f]*\d)[0-9a-f]{12,}/.test(word.replaceAll('-', ''));
}

function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) if (isFree(`${name}-${number}`)) return `${name}-${number}`;
}
