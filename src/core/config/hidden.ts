import { projectSchema } from '../../generated/project-schema.ts';
import { isPermission } from '../model/permission.ts';
import type { Span } from '../model/place.ts';
import { isPlainKey, isSecretOption, mayBeSecret } from '../model/secrecy.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import { scalarOf, type YamlNode, type YamlPair, type YamlScalar } from '../yaml/node.ts';

/** Words whose values are no secrets, inside of options and named values. */
const OPTION_WORDS: ReadonlySet<string> = new Set(['permission', 'sensitive', 'rotated']);

/** Words whose values are no secrets elsewhere. */
const WORDS: ReadonlySet<string> = new Set([
  ...OPTION_WORDS,
  ...['version', 'match', 'id', 'name', 'acronym', 'expect', 'autosubscribe'],
  ...['policy', 'waivers', ...Object.keys(projectSchema.properties.policy.properties)],
]);

/** The same below `servers`; anywhere else a `url` is an option that lost its place. */
const SERVER_WORDS: ReadonlySet<string> = new Set([...WORDS, 'url', 'config', 'caFile']);

/** The same in `waivers`. */
const WAIVER_WORDS: ReadonlySet<string> = new Set(['address', 'server', 'until', 'reason']);

/** The words below a key of the file. */
const WORDS_BELOW = new Map([
  ['servers', SERVER_WORDS],
  ['waivers', WAIVER_WORDS],
]);

/** Words whose maps have keys that people choose. */
const WITH_OWN_KEYS = new Set(['values', 'integrations', 'options', 'servers', 'labels']);

/** What a key that people choose looks like. */
const KEY = /^[\p{L}\p{M}\p{N}_.$~/-]{1,128}$/u;

/** Where a node is: the nearest key, which words are safe, and whether it is secret or none whatever its own key is. */
interface Around {
  readonly key: string;
  /** The nearest key that says what a value is for: that of its option, not `value`. */
  readonly subject: string;
  readonly words: ReadonlySet<string>;
  readonly mark: boolean | undefined;
  /** The named values that secrets refer to, as far as they are known. */
  readonly named: Set<string>;
}

/**
 * What an excerpt of a file must not show: values that are or may be secrets, and keys where no key is expected, since a
 * value that lost its quotes can look like one. Secrets may refer to named values.
 */
export function hiddenIn(root: YamlNode): Span[] {
  // A file that is no configuration may be one of secrets.
  if (root.kind !== 'map') return [[0, Number.POSITIVE_INFINITY]];
  const named = new Set<string>();
  const around = { key: '', subject: '', words: WORDS, mark: undefined, named };
  // The first pass finds the named values that secrets refer to, wherever they stand.
  inNode(root, around);
  return inNode(root, around);
}

function inNode(node: YamlNode, around: Around): Span[] {
  if (node.kind === 'list') return node.items.flatMap((item) => inNode(item, around));
  if (node.kind === 'map') {
    const pairs = [...node.pairs, ...(node.refused ?? [])];
    const mark = markIn(pairs, around);
    return pairs.flatMap((pair) => inPair(pair, { ...around, mark }));
  }
  return isHidden(node, around) ? [node.range] : [];
}

/** Whether a scalar must not be shown; remembers the named values that a secret refers to. */
function isHidden({ value, isRefused }: YamlScalar, { key, subject, words, mark, named }: Around): boolean {
  // What was refused as a whole was not examined.
  if (value === null) return isRefused === true;
  const text = String(value);
  if (isPermission(text)) return false;
  // A value with a quotation mark in it may have swallowed what was behind it.
  if (words.has(key)) return hasSecretForm(text) || /["']/.test(text);
  if (mark === true) for (const [, name = ''] of text.matchAll(/\$\{value:([\w-]+)\}/g)) named.add(name);
  return mayBeSecret(subject, value, mark);
}

/**
 * What a map says of its values: a key that marks them as secret may be mistyped, and so may its value. That they are none is
 * taken only from an option that says so exactly, whatever its key.
 */
function markIn(pairs: readonly YamlPair[], { key, words, mark }: Around): boolean | undefined {
  const marks = WITH_OWN_KEYS.has(key) ? [] : pairs.filter((pair) => /^sens/i.test(pair.key));
  if (marks.some((pair) => scalarOf(pair.value) !== false)) return true;
  const isExact = marks.length > 0 && marks.every((pair) => pair.key === 'sensitive');
  const isOption = words === OPTION_WORDS && pairs.some((pair) => pair.key === 'value');
  return isExact && isOption ? false : mark;
}

function inPair({ key, keyRange, value }: YamlPair, around: Around): Span[] {
  const isChosen = WITH_OWN_KEYS.has(around.key) && KEY.test(key);
  const isWord = isChosen || WORDS.has(key) || around.words.has(key) || WITH_OWN_KEYS.has(key);
  const isKey = isWord || (around.mark === true ? /^[a-z]{1,24}$/i.test(key) : isPlainKey(key));
  // Anything may follow a mistyped word.
  const isOfOptions = !isWord || key === 'values' || key === 'options';
  const words = isOfOptions ? OPTION_WORDS : (WORDS_BELOW.get(key) ?? around.words);
  const isSecret =
    words === OPTION_WORDS &&
    (isSecretOption(key, undefined) || (around.key === 'values' && around.named.has(key)));
  const subject = key === 'value' || key === 'display' ? around.subject : key;
  const below = inNode(value, { ...around, words, key, subject, mark: isSecret || around.mark });
  return isKey ? below : [keyRange, ...below];
}
