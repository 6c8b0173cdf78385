import type { Diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/lists.ts';
import { isPermission } from '../model/permission.ts';
import {
  placeKey,
  type SourceFile,
  type Sources,
  type SourceText,
  type Span,
} from '../model/place.ts';
import { isPlainKey, isSecret } from '../model/secrecy.ts';
import type { YamlMap, YamlNode, YamlPair, YamlScalar } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';

/** Keys of the format whose texts are shown, by section of the file. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['version', ['version']],
  [
    'integrations',
    ['match', 'id', 'name', 'acronym', 'expect', 'autosubscribe'],
  ],
  ['servers', ['url', 'config', 'secretsFile', 'tls', 'caFile']],
  ['waivers', ['waivers', 'address', 'server', 'until', 'reason']],
]);

/** Keys whose maps have keys that people choose. */
const WITH_OWN_KEYS = new Set([
  'values',
  'integrations',
  'options',
  'servers',
  'labels',
  'policy',
]);

/**
 * A reference, also with a name that is none, but without a fallback: that may
 * be a secret.
 */
const REFERENCE = /^\$\{(?:env|file|value):(?:(?!:-)[^{}])+\}$/;

/** The text of a file for excerpts, and the parts that these do not show. */
export function sourceText(file: SourceFile): SourceText {
  let found: { hidden: readonly Span[] | undefined } | undefined;
  return {
    text: file.text,
    hidden: () => {
      found ??= { hidden: hiddenIn(file) };
      return found.hidden;
    },
  };
}

/**
 * Lets excerpts also show what findings are about, at the places at which all
 * of them may: on another server the same text may be a secret.
 */
export function withShownTexts(
  sources: Sources,
  findings: readonly Diagnostic[],
): Sources {
  const all = new Map(sources);
  const byFile = grouped(findings, ({ place }) => place?.file);
  for (const [file = '', found] of byFile) {
    const source = sources.get(file);
    if (source === undefined) continue;
    const shown = new Set(found.map(({ place }) => placeKey(place)));
    for (const { place, facts } of found) {
      if (!facts.showsText) shown.delete(placeKey(place));
    }
    all.set(file, { ...source, shown });
  }
  return all;
}

/** Returns nothing if the text is not YAML. */
function hiddenIn(file: SourceFile): readonly Span[] | undefined {
  const { value: root, diagnostics } = parseYaml(file);
  // Of several documents only the first one is in the tree.
  const isBroken = diagnostics.some(({ code }) => code === 'yaml-syntax');
  if (root === undefined || isBroken) return undefined;
  // A file that is no configuration may be one of secrets.
  if (root.kind !== 'map') return [[0, Number.POSITIVE_INFINITY]];
  const spans: Span[] = [];
  addHidden(spans, root, { parent: '', kind: 'format' });
  return spans;
}

/** Where a node stands. */
interface Context {
  /** The key that it is below; empty at the top of the file. */
  parent: string;
  /**
   * The kind of the texts around it; a secret is a value that is named or
   * marked as one.
   */
  kind: 'format' | 'value' | 'secret';
  /** The key at the top of the file that it is below. */
  section?: string | undefined;
}

/** Adds the spans of all texts in a node that excerpts do not show. */
function addHidden(spans: Span[], node: YamlNode, context: Context): void {
  if (node.kind === 'scalar') {
    if (!isShown(node, context)) spans.push(node.range);
    return;
  }
  if (node.kind === 'map') addHiddenOfMap(spans, node, context);
  else for (const item of node.items) addHidden(spans, item, context);
}

function addHiddenOfMap(spans: Span[], node: YamlMap, context: Context): void {
  const hasOwnKeys = WITH_OWN_KEYS.has(context.parent);
  // A mistyped `sensitive` marks a secret as well.
  const isMarked =
    !hasOwnKeys && node.pairs.some(({ key }) => /^sens/i.test(key));
  const around = isMarked ? { ...context, kind: 'secret' as const } : context;
  for (const pair of node.pairs) {
    const { key, keyRange, value } = pair;
    const isKeyShown = hasOwnKeys
      ? /^[\p{L}\p{M}\p{N}_.$~/-]{1,128}$/u.test(key)
      : isPlainKey(key);
    if (!isKeyShown) spans.push(keyRange);
    const section = context.section ?? key;
    const kind = kindBelow(pair, section, around);
    addHidden(spans, value, { parent: key, kind, section });
  }
}

/** The kind of the value of a pair in a map. */
function kindBelow(
  { key, value }: YamlPair,
  section: string,
  { parent, kind }: Context,
): Context['kind'] {
  const isWord = WITH_OWN_KEYS.has(key) || WORDS.get(section)?.includes(key);
  // In place of an entry or a server, anything may stand.
  const isNamed = WITH_OWN_KEYS.has(parent) && value.kind === 'map';
  const isOfFormat =
    isWord || isNamed || parent === 'labels' || parent === 'policy';
  // Their keys are chosen too, but values stand below them.
  const holdsValues = key === 'options' || key === 'values';
  if (kind === 'format' && isOfFormat && !holdsValues) return 'format';
  return kind === 'secret' || isSecret({ key }) ? 'secret' : 'value';
}

/** How the day of a rotation is written, and nothing else. */
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

function isShown({ value }: YamlScalar, { kind, parent }: Context): boolean {
  if (value === null || typeof value === 'boolean') return true;
  const text = String(value);
  if (isPermission(text) || REFERENCE.test(text)) return true;
  if (parent === 'rotated' && DAY.test(text)) return true;
  // A text with a quotation mark in it may have swallowed the text behind it.
  if (kind === 'format')
    return !isSecret({ values: [text] }) && !/["']/.test(text);
  return kind === 'value' && typeof value === 'number';
}
