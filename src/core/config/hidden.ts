import { nearNames } from '../findings/words.ts';
import { isPermission, PERMISSIONS } from '../model/permission.ts';
import type { SourceFile, SourceText, Span } from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import type { YamlNode, YamlPair } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';

/** Keys of the format whose texts are shown, by the key at the top of the file that they are below. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['version', ['version']],
  [
    'integrations',
    ['match', 'id', 'name', 'acronym', 'expect', 'autosubscribe'],
  ],
  ['servers', ['url', 'config', 'tls', 'caFile']],
  ['waivers', ['waivers', 'address', 'server', 'until', 'reason']],
]);

/** Keys whose maps have keys of many kinds, most of which people choose, and what these look like. */
const WITH_OWN_KEYS = new Set([
  'values',
  'integrations',
  'options',
  'servers',
  'labels',
  'policy',
]);
const OWN_KEY = /^[\p{L}\p{M}\p{N}_.$~/-]{1,128}$/u;

const REFERENCE = /^\$\{(?:env|file|value):(?:(?!:-)[^{}])+\}$/;

/** The text of a file for excerpts, which show of option values only numbers and booleans, and no key that may be a value. */
export function sourceText(file: SourceFile): SourceText {
  let hidden: readonly Span[] | undefined;
  return {
    text: file.text,
    hidden: () => {
      hidden ??= hiddenIn(file);
      return hidden;
    },
  };
}

function hiddenIn(file: SourceFile): readonly Span[] | undefined {
  const { value: root, diagnostics } = parseYaml(file);
  // Of several documents only the first one is in the tree.
  if (
    root === undefined ||
    diagnostics.some(({ code }) => code === 'yaml-syntax')
  )
    return undefined;
  // A file that is no configuration may be one of secrets.
  return root.kind === 'map'
    ? spansIn(root, '', 'format')
    : [[0, Number.POSITIVE_INFINITY]];
}

/** What a text is a part of: the format, a permission, a value, or a value that is named or marked as a secret. */
type Part = 'format' | 'permission' | 'value' | 'secret';

/** `section` is the key at the top of the file. */
function spansIn(
  node: YamlNode,
  parent: string,
  of: Part,
  section?: string,
): Span[] {
  if (node.kind === 'list')
    return node.items.flatMap((item) => spansIn(item, parent, of, section));
  if (node.kind === 'scalar') return isShown(node, of) ? [] : [node.range];
  const pairs = [...node.pairs, ...node.refused];
  const hasOwnKeys = WITH_OWN_KEYS.has(parent);
  const isMarked = !hasOwnKeys && pairs.some(({ key }) => /^sens/i.test(key));
  const around = isMarked ? 'secret' : of;
  return pairs.flatMap((pair) => {
    const { key, keyRange, value } = pair;
    const top = section ?? key;
    const otherwise =
      around === 'secret' || isSecret({ key }) ? 'secret' : 'value';
    const isFormat = around === 'format' && isOfFormat(pair, parent, top);
    const isPermissionKey = !hasOwnKeys && key === 'permission';
    const valuePart = isPermissionKey ? 'permission' : otherwise;
    const part = isFormat ? 'format' : valuePart;
    const isKeyShown = hasOwnKeys
      ? OWN_KEY.test(key)
      : isWord(key, top) || isPlainKey(key);
    return [
      ...(isKeyShown ? [] : [keyRange]),
      ...spansIn(value, key, part, top),
    ];
  });
}

function isOfFormat(
  { key, value }: YamlPair,
  parent: string,
  section: string,
): boolean {
  if (key === 'options' || key === 'values') return false;
  // In place of an entry or a server, anything may stand.
  const isOwn =
    WITH_OWN_KEYS.has(parent) &&
    (value.kind === 'map' || /^(labels|policy)$/.test(parent));
  return isOwn || isWord(key, section);
}

function isWord(key: string, section: string): boolean {
  return WITH_OWN_KEYS.has(key) || WORDS.get(section)?.includes(key) === true;
}

function isShown(
  { value, isRefused }: Extract<YamlNode, { kind: 'scalar' }>,
  of: Part,
): boolean {
  // What was refused as a whole was not examined.
  if (value === null) return isRefused !== true;
  const text = String(value);
  if (typeof value === 'boolean' || isPermission(text) || REFERENCE.test(text))
    return true;
  if (of === 'permission') return isLikePermission(text);
  // A text with a quotation mark in it may have swallowed what was behind it.
  if (of === 'format')
    return !isSecret({ values: [text] }) && !/["']/.test(text);
  return of === 'value' && typeof value === 'number';
}

/** Whether a text in the place of a permission may be shown: it resembles one, or is a short word or two. */
export function isLikePermission(text: string): boolean {
  return (
    nearNames(text, Object.keys(PERMISSIONS)).length > 0 ||
    /^[a-z]{1,8}(-[a-z]{1,8})?$/i.test(text)
  );
}
