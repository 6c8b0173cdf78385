import { isPermission } from '../model/permission.ts';
import type { SourceFile, SourceText, Span } from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import type { YamlNode } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';

/** Keys of the format whose texts are shown. */
const WORDS: ReadonlySet<string> = new Set([
  ...'version match id name acronym expect autosubscribe url config tls caFile'.split(' '),
  ...'waivers address server until reason'.split(' '),
]);

/** Keys whose maps have keys of many kinds, most of which people choose, and what these look like. */
const WITH_OWN_KEYS = new Set(['values', 'integrations', 'options', 'servers', 'labels', 'policy']);
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
  if (root === undefined || diagnostics.some(({ code }) => code === 'yaml-syntax')) return undefined;
  // A file that is no configuration may be one of secrets.
  return root.kind === 'map' ? spansIn(root, '', 'format') : [[0, Number.POSITIVE_INFINITY]];
}

/** What a text is a part of: the format, a value, or a value that is named or marked as a secret. */
type Part = 'format' | 'value' | 'secret';

function spansIn(node: YamlNode, parent: string, of: Part): Span[] {
  if (node.kind === 'list') return node.items.flatMap((item) => spansIn(item, parent, of));
  if (node.kind === 'scalar') return isShown(node, of) ? [] : [node.range];
  const pairs = [...node.pairs, ...node.refused];
  const hasOwnKeys = WITH_OWN_KEYS.has(parent);
  const isMarked = !hasOwnKeys && pairs.some(({ key }) => /^sens/i.test(key));
  const around = isMarked ? 'secret' : of;
  return pairs.flatMap(({ key, keyRange, value }) => {
    const isWord = hasOwnKeys ? OWN_KEY.test(key) : WORDS.has(key) || WITH_OWN_KEYS.has(key);
    const isOfFormat = around === 'format' && (hasOwnKeys || isWord) && key !== 'options' && key !== 'values';
    const secret = around === 'secret' || isSecret({ key });
    const below = spansIn(value, key, isOfFormat ? 'format' : secret ? 'secret' : 'value');
    return isWord || (!hasOwnKeys && isPlainKey(key)) ? below : [keyRange, ...below];
  });
}

function isShown({ value, isRefused }: Extract<YamlNode, { kind: 'scalar' }>, of: Part): boolean {
  // What was refused as a whole was not examined.
  if (value === null) return isRefused !== true;
  const text = String(value);
  if (typeof value === 'boolean' || isPermission(text) || REFERENCE.test(text)) return true;
  // A text with a quotation mark in it may have swallowed what was behind it.
  if (of === 'format') return !isSecret({ values: [text] }) && !/["']/.test(text);
  return of === 'value' && typeof value === 'number';
}
