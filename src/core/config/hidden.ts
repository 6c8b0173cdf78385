import { projectSchema } from '../../generated/project-schema.ts';
import type { Span } from '../model/place.ts';
import { mayBeSecret } from '../model/secrecy.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import { childOf, scalarOf, type YamlNode, type YamlPair } from '../yaml/node.ts';

/** Words whose values are no secrets, inside of options and named values. */
const OPTION_WORDS: ReadonlySet<string> = new Set(['permission', 'sensitive']);

/** Words whose values are no secrets elsewhere. */
const WORDS: ReadonlySet<string> = new Set([
  ...OPTION_WORDS,
  ...['version', 'match', 'id', 'name', 'acronym', 'expect', 'autosubscribe', 'url', 'config', 'caFile'],
  ...['policy', ...Object.keys(projectSchema.properties.policy.properties)],
]);

/** Words whose maps have keys that people choose. */
const WITH_OWN_KEYS = new Set(['values', 'integrations', 'options', 'servers', 'labels']);

/** What a key that people choose looks like. */
const KEY = /^[\p{L}\p{M}\p{N}_.$~/-]{1,128}$/u;

/** Where a node is: the key of its option or the nearest key, which words are safe, and whether it is marked as secret. */
interface Around {
  readonly key: string;
  readonly words: ReadonlySet<string>;
  readonly isMarked: boolean;
}

/**
 * What an excerpt of a file must not show: values that are or may be secrets, and keys where no key is expected, since a
 * value that lost its quotes can look like one.
 */
export function hiddenIn(root: YamlNode): Span[] {
  return inNode(root, { key: '', words: WORDS, isMarked: false });
}

function inNode(node: YamlNode, around: Around): Span[] {
  if (node.kind === 'list') return node.items.flatMap((item) => inNode(item, around));
  if (node.kind === 'map') {
    const isMarked = around.isMarked || scalarOf(childOf(node, 'sensitive')) === true;
    const pairs = [...node.pairs, ...(node.refused ?? [])];
    return pairs.flatMap((pair) => inPair(pair, { ...around, isMarked }));
  }
  // What was refused as a whole was not examined.
  if (node.value === null) return node.isRefused === true ? [node.range] : [];
  const { key, words, isMarked } = around;
  const isSecret = words.has(key)
    ? hasSecretForm(String(node.value))
    : mayBeSecret(key, node.value, isMarked);
  return isSecret ? [node.range] : [];
}

function inPair({ key, keyRange, value }: YamlPair, around: Around): Span[] {
  const isChosen = WITH_OWN_KEYS.has(around.key) && KEY.test(key);
  const isWord = isChosen || WORDS.has(key) || WITH_OWN_KEYS.has(key);
  const isKey = isWord || /^[a-z]{1,24}$/i.test(key);
  // Anything may follow a mistyped word.
  const words = !isWord || key === 'values' || key === 'options' ? OPTION_WORDS : around.words;
  // The parts of an option are secret by the key of the option.
  const isPart = key === 'value' || key === 'display';
  const below = inNode(value, { ...around, words, key: isPart ? around.key : key });
  return isKey ? below : [keyRange, ...below];
}
