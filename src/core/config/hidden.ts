import { projectSchema } from '../../generated/project-schema.ts';
import { isPermission } from '../model/permission.ts';
import type { Span } from '../model/place.ts';
import { isPlainKey, isSecretOption } from '../model/secrecy.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import type { YamlNode, YamlPair, YamlScalar } from '../yaml/node.ts';

/** Keys whose values are shown: inside of options and named values, elsewhere, and below `servers` and `waivers`. */
const OPTION_WORDS: ReadonlySet<string> = new Set(['permission', 'sensitive', 'rotated']);
const WORDS: ReadonlySet<string> = new Set([
  ...OPTION_WORDS,
  ...['version', 'match', 'id', 'name', 'acronym', 'expect', 'autosubscribe', 'policy', 'waivers'],
  ...Object.keys(projectSchema.properties.policy.properties),
]);
const WORDS_BELOW = new Map<string, ReadonlySet<string>>([
  ['servers', new Set([...WORDS, 'url', 'config', 'caFile'])],
  ['waivers', new Set(['address', 'server', 'until', 'reason'])],
  ['values', OPTION_WORDS],
  ['options', OPTION_WORDS],
]);

/** Keys whose maps have keys that people choose, and what these look like. */
const WITH_OWN_KEYS = new Set(['values', 'integrations', 'options', 'servers', 'labels']);
const CHOSEN_KEY = /^[\p{L}\p{M}\p{N}_.$~/-]{1,128}$/u;

/** Where a node is: its nearest key, the keys whose values are shown, and whether its option is marked or named as a secret. */
interface Around {
  readonly key: string;
  readonly words: ReadonlySet<string>;
  readonly isSecret: boolean;
}

/** What an excerpt of a file must not show: option values but numbers and booleans, and keys that may be lost values. */
export function hiddenIn(root: YamlNode): Span[] {
  // A file that is no configuration may be one of secrets.
  if (root.kind !== 'map') return [[0, Number.POSITIVE_INFINITY]];
  return inNode(root, { key: '', words: WORDS, isSecret: false });
}

function inNode(node: YamlNode, around: Around): Span[] {
  if (node.kind === 'list') return node.items.flatMap((item) => inNode(item, around));
  if (node.kind === 'scalar') return isShown(node, around) ? [] : [node.range];
  const pairs = [...node.pairs, ...(node.refused ?? [])];
  const isMarked = !WITH_OWN_KEYS.has(around.key) && pairs.some(({ key }) => /^sens/i.test(key));
  return pairs.flatMap((pair) => inPair(pair, { ...around, isSecret: around.isSecret || isMarked }));
}

function isShown({ value, isRefused }: YamlScalar, { key, words, isSecret }: Around): boolean {
  // What was refused as a whole was not examined.
  if (value === null) return isRefused !== true;
  const text = String(value);
  if (isPermission(text) || /^\$\{(?:env|file|value):(?:(?!:-)[^{}])+\}$/.test(text)) return true;
  // A value with a quotation mark in it may have swallowed what was behind it.
  if (words.has(key)) return !hasSecretForm(text) && !/["']/.test(text);
  return typeof value !== 'string' && !isSecret;
}

function inPair({ key, keyRange, value }: YamlPair, around: Around): Span[] {
  const isChosen = WITH_OWN_KEYS.has(around.key) && CHOSEN_KEY.test(key);
  const isWord = isChosen || WORDS.has(key) || around.words.has(key) || WITH_OWN_KEYS.has(key);
  // Anything may follow a mistyped word.
  const words = isWord ? (WORDS_BELOW.get(key) ?? around.words) : OPTION_WORDS;
  const isSecret = around.isSecret || (words === OPTION_WORDS && isSecretOption(key, undefined));
  const below = inNode(value, { key, words, isSecret });
  return isWord || isPlainKey(key) ? below : [keyRange, ...below];
}
