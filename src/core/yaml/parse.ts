import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import type { Place, SourceFile } from '../model/place.ts';
import {
  type ComposedYaml,
  composeYaml,
  NO_BLANK,
  type PlaceOf,
  spanOf,
  tooLarge,
  YAML_LIMITS,
} from './compose.ts';
import type { YamlNode, YamlPair, YamlScalar } from './node.ts';

/**
 * Parses one file, and refuses every construct whose meaning could surprise.
 * All problems are found. There is a value if the text is YAML within its
 * limits; the refused nodes are marked.
 */
export function parseYaml(file: SourceFile): Checked<YamlNode> {
  const { value: composed, diagnostics: problems } = composeYaml(file);
  if (composed === undefined) return { diagnostics: problems };
  const walk = new TreeWalk(composed);
  const value = walk.visit(composed.doc.contents);
  const diagnostics = [...problems, ...walk.diagnostics];
  const isTooLarge = diagnostics.some(({ code }) => code === 'too-large');
  return isTooLarge ? { diagnostics } : { value, diagnostics };
}

/** One pass that makes plain nodes of a document. Use it once. */
class TreeWalk {
  readonly diagnostics: Diagnostic[] = [];
  readonly #text: string;
  readonly #placeOf: PlaceOf;
  /** The last complete node of each anchor so far. */
  readonly #anchors = new Map<string, YamlNode>();
  #expanded = 0;

  constructor({ text, placeOf }: ComposedYaml) {
    this.#text = text;
    this.#placeOf = placeOf;
  }

  /** The plain form of a node. `depth` counts the maps and lists around it. */
  visit(node: unknown, depth = 0): YamlNode {
    if (isAlias(node)) return this.#follow(node, depth);
    let plain = this.#plain(node, depth);
    if (!isNode(node)) return plain;
    const { tag, anchor } = node;
    // A tag such as !include has a meaning of its own.
    const isTagged = tag !== undefined && /^!./.test(tag);
    if (isTagged) plain = { ...plain, isRefused: true };
    if (anchor !== undefined) this.#anchors.set(anchor, plain);
    return plain;
  }

  #plain(node: unknown, depth: number): YamlNode {
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) return this.#list(node, depth);
    const scalar = this.#scalar(node);
    return this.#checked(scalar, scalarProblem(node, scalar.place));
  }

  #list(node: YAMLSeq, depth: number): YamlNode {
    const items: YamlNode[] = [];
    for (const item of node.items) {
      const plain = this.visit(item, depth + 1);
      const problem = isNothing(item)
        ? diagnostic('empty-value', {}, plain.place)
        : undefined;
      items.push(this.#checked(plain, problem));
    }
    return { kind: 'list', place: this.#placeOf(spanOf(node)), items };
  }

  /** The node that an alias means, at the place of the alias. */
  #follow(alias: Alias, depth: number): YamlNode {
    const scalar = this.#scalar(alias);
    const { place } = scalar;
    if (this.#expanded > YAML_LIMITS.aliases.most)
      return { ...scalar, isRefused: true };
    const target = this.#anchors.get(alias.source);
    if (target === undefined)
      return this.#checked(scalar, syntaxProblem(NO_ANCHOR, place));
    const { size, levels } = extentOf(target);
    this.#expanded += size;
    if (this.#expanded > YAML_LIMITS.aliases.most)
      return this.#checked(scalar, tooLarge('aliases', place));
    if (depth + levels > YAML_LIMITS.depth.most)
      return this.#checked(scalar, tooLarge('depth', place));
    return { ...target, place };
  }

  #map(node: YAMLMap, depth: number): YamlNode {
    if (node.items.length > YAML_LIMITS.keys.most) {
      const scalar = this.#scalar(node);
      return this.#checked(scalar, tooLarge('keys', scalar.place));
    }
    const place = this.#placeOf(spanOf(node));
    const firsts = new Map<string, Place>();
    const pairs: YamlPair[] = [];
    const refused: YamlPair[] = [];
    for (const item of node.items) {
      const keyRange = spanOf(item.key);
      const keyPlace = this.#placeOf(keyRange);
      const problem = keyProblem(item, keyPlace, depth, firsts);
      if (problem !== undefined) this.diagnostics.push(problem);
      // Below a refused key are further mistakes, and anchors for elsewhere.
      const value = this.visit(item.value, depth + 1);
      const pair = {
        key: keyText(item.key),
        keyPlace,
        keyRange,
        comment: this.#commentOf(item),
        value: isNothing(item.value) ? { ...value, place: keyPlace } : value,
      };
      if (problem === undefined) pairs.push(pair);
      else refused.push(pair);
    }
    return { kind: 'map', place, pairs, refused };
  }

  /**
   * The comment at the end of a key's line. The library hangs that of a block
   * on its first line, like those above it.
   */
  #commentOf({ key, value }: Pair): string | undefined {
    const [, end] = spanOf(key);
    let comment = isNode(value) ? value.comment : undefined;
    if (isCollection(value) && value.flow !== true)
      comment = behindKey(this.#text, end);
    return comment?.replace(/\s+/g, ' ').trim() || undefined;
  }

  /** A node as a scalar: its value if it is one, else null. */
  #scalar(node: unknown): YamlScalar {
    // The core schema has no other kind of scalar.
    const value = isScalar(node) ? (node.value as YamlScalar['value']) : null;
    const range = spanOf(node);
    return { kind: 'scalar', value, place: this.#placeOf(range), range };
  }

  /** The node, refused if it has a problem. */
  #checked(node: YamlNode, problem: Diagnostic | undefined): YamlNode {
    if (problem === undefined) return node;
    this.diagnostics.push(problem);
    return { ...node, isRefused: true };
  }
}

/** The comment between the colon behind a key and the end of its line. */
function behindKey(text: string, end: number): string | undefined {
  const comment = /:[ \t]+#(.*)/y;
  comment.lastIndex = end;
  return comment.exec(text)?.[1];
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

/** Why a key is refused; `firsts` has the places of those before it. */
function keyProblem(
  { key, value }: Pair,
  place: Place,
  depth: number,
  firsts: Map<string, Place>,
): Diagnostic | undefined {
  if (!isScalar(key) || typeof key.value !== 'string')
    return diagnostic('ambiguous-scalar', {}, place);
  const problem = scalarProblem(key, place);
  if (problem !== undefined) return problem;
  if (key.type === 'PLAIN' && /:[{[]/.test(key.value))
    return syntaxProblem(NO_BLANK, place);
  if (key.value === '<<' && key.type === 'PLAIN')
    return syntaxProblem(MERGE_KEY, place);
  // `{env:NAME}` without its dollar is a map with one empty key.
  if (!isNode(value) && /^(env|file|value):/.test(key.value)) {
    const facts = { problem: 'A reference begins with ${.' };
    return diagnostic('reference-syntax', facts, place);
  }
  const first = firsts.get(key.value);
  if (first !== undefined) return diagnostic('duplicate-key', { first }, place);
  firsts.set(key.value, place);
  // A section may be empty; deeper, that would stop managing a field.
  const isEmpty = depth > 0 && isNothing(value);
  return isEmpty ? diagnostic('empty-value', {}, place) : undefined;
}

const NO_ANCHOR =
  'No complete value before this alias has its name; quote a text that begins with *.';

const LOST =
  'A character was lost here: U+FFFD is in its place. Write it again, and save the file as UTF-8.';

const MERGE_KEY =
  'Merge keys (<<) are not supported; write the keys out, or share them through an entry with expect: any.';

/** The finding for a refused construct in a file that can be read. */
function syntaxProblem(problem: string, place: Place): Diagnostic {
  return diagnostic('yaml-syntax', { problem }, place);
}

/** How deep a node is, and how many nodes it has; long texts count as several, as aliases repeat them. */
function extentOf(node: YamlNode): { levels: number; size: number } {
  if (node.kind === 'scalar')
    return { levels: 0, size: 1 + String(node.value).length / 200 };
  const children =
    node.kind === 'list' ? node.items : node.pairs.map(({ value }) => value);
  let levels = 1;
  let size = 1;
  for (const child of children) {
    const extent = extentOf(child);
    levels = Math.max(levels, extent.levels + 1);
    size += extent.size;
  }
  return { levels, size };
}

/**
 * Refuses a scalar that YAML would store in another form: `0123`, `1e5`,
 * `1.10`, `True`, `~`, `!!int 0123`, and integers beyond 2^53.
 */
function scalarProblem(node: unknown, place: Place): Diagnostic | undefined {
  if (!isScalar(node) || isNothing(node)) return undefined;
  const { value, source = '' } = node;
  if (typeof value === 'string')
    return value.includes('\ufffd') ? syntaxProblem(LOST, place) : undefined;
  const isUnsafe =
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (String(value) === source && !isUnsafe) return undefined;
  return diagnostic('ambiguous-scalar', {}, place);
}

/** Whether nothing is written where a value is expected. */
function isNothing(node: unknown): boolean {
  if (node === null || node === undefined) return true;
  if (!isScalar(node) || node.value !== null) return false;
  return (node.source ?? '') === '' && node.tag === undefined;
}
