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
import type { Place, SourceFile, Span } from '../model/place.ts';
import {
  type ComposedYaml,
  composeYaml,
  type PlaceOf,
  spanOf,
  tooLarge,
  YAML_LIMITS,
} from './compose.ts';
import type { YamlNode, YamlPair, YamlScalar } from './node.ts';

/**
 * Parses one file, and refuses every construct whose meaning could surprise.
 * All problems are found. There is a value if the text is YAML within its
 * limits.
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
    if (isAlias(node)) return this.#follow(node);
    const plain = this.#plain(node, depth);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, plain);
    return plain;
  }

  #plain(node: unknown, depth: number): YamlNode {
    const range = spanOf(node);
    const place = this.#placeOf(range);
    if (isMap(node)) return this.#map(node, place, depth);
    if (isSeq(node)) return this.#list(node, place, depth);
    this.#report(scalarProblem(node, place));
    // The core schema has no other kind of scalar.
    const value = isScalar(node) ? (node.value as YamlScalar['value']) : null;
    return { kind: 'scalar', value, place, range };
  }

  #list(node: YAMLSeq, place: Place, depth: number): YamlNode {
    const items: YamlNode[] = [];
    for (const item of node.items) {
      const plain = this.visit(item, depth + 1);
      if (isNothing(item))
        this.#report(diagnostic('empty-value', {}, plain.place));
      items.push(plain);
    }
    return { kind: 'list', place, items };
  }

  /** The node that an alias means, at the place of the alias. */
  #follow(alias: Alias): YamlNode {
    const range = spanOf(alias);
    const place = this.#placeOf(range);
    const target = this.#anchors.get(alias.source);
    const { most } = YAML_LIMITS.aliases;
    if (target === undefined) {
      this.#report(syntaxProblem(NO_ANCHOR, place));
    } else if (this.#expanded <= most) {
      this.#expanded += sizeOf(target);
      if (this.#expanded <= most) return { ...target, place };
      this.#report(tooLarge('aliases', place));
    }
    // It may be a text that begins with a star.
    return { kind: 'scalar', value: '', place, range };
  }

  #map(node: YAMLMap, place: Place, depth: number): YamlNode {
    if (node.items.length > YAML_LIMITS.keys.most)
      this.#report(tooLarge('keys', place));
    const firsts = new Map<string, Place>();
    const pairs: YamlPair[] = [];
    for (const item of node.items) {
      const keyRange = spanOf(item.key);
      const keyPlace = this.#placeOf(keyRange);
      this.#report(keyProblem(item, keyPlace, depth, firsts));
      const value = this.visit(item.value, depth + 1);
      pairs.push({
        key: isScalar(item.key) ? String(item.key.value ?? '') : '',
        keyPlace,
        keyRange,
        comment: this.#commentOf(item, keyRange),
        value: isNothing(item.value) ? { ...value, place: keyPlace } : value,
      });
    }
    return { kind: 'map', place, pairs };
  }

  #report(problem: Diagnostic | undefined): void {
    if (problem !== undefined) this.diagnostics.push(problem);
  }

  /**
   * The comment at the end of a key's line. The library hangs that of a block
   * on its first line, like those above it.
   */
  #commentOf({ value }: Pair, [, end]: Span): string | undefined {
    let comment = isNode(value) ? value.comment : undefined;
    if (isCollection(value) && value.flow !== true)
      comment = behindKey(this.#text, end);
    return comment?.replace(/\s+/g, ' ').trim() || undefined;
  }
}

/** The comment between the colon behind a key and the end of its line. */
function behindKey(text: string, end: number): string | undefined {
  const comment = /:[ \t]+#(.*)/y;
  comment.lastIndex = end;
  return comment.exec(text)?.[1];
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
  const first = firsts.get(key.value);
  if (first !== undefined) return diagnostic('duplicate-key', { first }, place);
  firsts.set(key.value, place);
  // A section may be empty; deeper, that would stop managing a field.
  const isEmpty = depth > 0 && isNothing(value);
  return isEmpty ? diagnostic('empty-value', {}, place) : undefined;
}

const NO_ANCHOR =
  'No complete value before this alias has its name; quote a text that begins with *.';

const NO_BLANK =
  'A colon needs a blank before { or [; quote the key if the text is meant.';

const MERGE_KEY =
  'Merge keys (<<) are not supported; write the keys out, or share them through an entry with expect: any.';

/** The finding for a refused construct in a file that can be read. */
function syntaxProblem(problem: string, place: Place): Diagnostic {
  return diagnostic('yaml-syntax', { problem }, place);
}

/**
 * How many nodes a node has; long texts count as several, as aliases repeat
 * them.
 */
function sizeOf(node: YamlNode): number {
  if (node.kind === 'scalar') return 1 + String(node.value).length / 200;
  const children =
    node.kind === 'list' ? node.items : node.pairs.map(({ value }) => value);
  return children.map(sizeOf).reduce((sum, size) => sum + size, 1);
}

/**
 * Refuses a scalar that YAML would store in another form: `0123`, `1e5`,
 * `1.10`, `True`, `~`, `!!int 0123`, and integers beyond 2^53.
 */
function scalarProblem(node: unknown, place: Place): Diagnostic | undefined {
  if (!isScalar(node) || isNothing(node)) return undefined;
  const { value, source = '' } = node;
  if (typeof value === 'string') return undefined;
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
