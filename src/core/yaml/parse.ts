import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
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
  composeYaml,
  type PlaceOf,
  spanOf,
  tooLarge,
  YAML_LIMITS,
} from './compose.ts';
import type { YamlNode, YamlPair } from './node.ts';

type YamlScalar = Extract<YamlNode, { kind: 'scalar' }>;

/**
 * Parses one file and refuses every construct whose meaning could surprise; finds all problems, not just the first. There
 * is a value wherever the text is YAML within its limits, with the refused nodes marked.
 */
export function parseYaml(file: SourceFile): Checked<YamlNode> {
  const { value: composed, diagnostics: problems } = composeYaml(file);
  if (composed === undefined) return { diagnostics: problems };
  const walk = new TreeWalk(composed.placeOf);
  const value = walk.visit(composed.doc.contents);
  const diagnostics = [...problems, ...walk.diagnostics];
  return diagnostics.some(({ code }) => code === 'too-large')
    ? { diagnostics }
    : { value, diagnostics };
}

/** One pass over a document that turns it into plain nodes and refuses what could surprise. Use it once. */
class TreeWalk {
  readonly diagnostics: Diagnostic[] = [];
  readonly #placeOf: PlaceOf;
  /** The last complete node of each anchor so far. */
  readonly #anchors = new Map<string, YamlNode>();
  #expanded = 0;

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** The plain node of a node. `depth` counts the maps and lists around it; `comment` is that of its line, for its keys. */
  visit(node: unknown, depth = 0, comment = ''): YamlNode {
    if (isAlias(node)) return this.#follow(node, depth);
    if (!isNode(node)) return this.#scalar(node);
    let plain: YamlNode;
    if (isScalar(node)) plain = this.#checkedScalar(node);
    else if (isMap(node)) plain = this.#map(node, depth, comment);
    else if (isSeq(node)) plain = this.#list(node, depth);
    else plain = this.#scalar(node);
    // A tag such as !include has a meaning of its own.
    if (node.tag !== undefined && /^!./.test(node.tag)) {
      plain = { ...plain, isRefused: true };
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, plain);
    return plain;
  }

  #checkedScalar(node: Scalar): YamlNode {
    const plain = this.#scalar(node);
    return this.#checked(plain, scalarProblem(node, plain.place));
  }

  #list(node: YAMLSeq, depth: number): YamlNode {
    const place = this.#place(node);
    const items = node.items.map((item) => this.#item(item, depth + 1));
    return { kind: 'list', place, items };
  }

  #item(item: unknown, depth: number): YamlNode {
    const plain = this.visit(item, depth);
    if (!isNothing(item)) return plain;
    return this.#checked(plain, diagnostic('empty-value', {}, plain.place));
  }

  /** The node that an alias means, at the place of the alias. What aliases expand to is limited. */
  #follow(alias: Alias, depth: number): YamlNode {
    const plain = this.#scalar(alias);
    const { place } = plain;
    if (this.#expanded > YAML_LIMITS.aliases.most) {
      return { ...plain, isRefused: true };
    }
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      return this.#checked(plain, refused(NO_ANCHOR, place));
    }
    const { size, levels } = extentOf(target);
    this.#expanded += size;
    if (this.#expanded > YAML_LIMITS.aliases.most) {
      return this.#checked(plain, tooLarge('aliases', place));
    }
    if (depth + levels > YAML_LIMITS.depth.most) {
      return this.#checked(plain, tooLarge('depth', place));
    }
    return { ...target, place };
  }

  #map(node: YAMLMap, depth: number, comment: string): YamlNode {
    if (node.items.length > YAML_LIMITS.keys.most) {
      const plain = this.#scalar(node);
      return this.#checked(plain, tooLarge('keys', plain.place));
    }
    const place = this.#place(node);
    const firsts = new Map<string, Place>();
    const pairs: YamlPair[] = [];
    const refused: YamlPair[] = [];
    // The library hangs the comment above the first key on the map.
    let above = node.commentBefore;
    for (const item of node.items) {
      const keyPlace = this.#place(item.key);
      const problem = keyProblem(item, keyPlace, depth, firsts);
      if (problem !== undefined) this.diagnostics.push(problem);
      const behind = commentBehind(item.value) || comment;
      const value = this.visit(item.value, depth + 1, behind);
      // What follows a refused key has mistakes of its own, and anchors that are used elsewhere.
      const kept = problem === undefined ? pairs : refused;
      kept.push({
        key: keyText(item.key),
        keyPlace,
        keyRange: spanOf(item.key),
        comment: commentOf(item, above) || comment || undefined,
        value: isNothing(item.value) ? { ...value, place: keyPlace } : value,
      });
      above = undefined;
    }
    return { kind: 'map', place, pairs, refused };
  }

  /** A node as a scalar: its value if it is one, else null. */
  #scalar(node: unknown): YamlScalar {
    // The core schema has no other kind of scalar.
    const value = isScalar(node) ? (node.value as YamlScalar['value']) : null;
    const place = this.#place(node);
    return { kind: 'scalar', value, place, range: spanOf(node) };
  }

  /** The node, refused if it has a problem. */
  #checked(node: YamlNode, problem: Diagnostic | undefined): YamlNode {
    if (problem === undefined) return node;
    this.diagnostics.push(problem);
    return { ...node, isRefused: true };
  }

  #place(node: unknown): Place {
    return this.#placeOf(spanOf(node));
  }
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

/** Why a key is refused; one that is taken is recorded in `firsts`. `depth` counts the maps and lists around its map. */
function keyProblem(
  { key, value }: Pair,
  place: Place,
  depth: number,
  firsts: Map<string, Place>,
): Diagnostic | undefined {
  if (!isScalar(key) || typeof key.value !== 'string') {
    return diagnostic('non-string-key', {}, place);
  }
  const problem = scalarProblem(key, place);
  if (problem !== undefined) return problem;
  if (key.value === '<<' && key.type === 'PLAIN') {
    return refused(MERGE_KEY, place);
  }
  // `{env:NAME}` without its dollar is a map with one empty key.
  if (!isNode(value) && /^(env|file|value):/.test(key.value)) {
    return diagnostic('reference-syntax', NO_DOLLAR, place);
  }
  const first = firsts.get(key.value);
  if (first !== undefined) {
    return diagnostic('duplicate-key', { first }, place);
  }
  firsts.set(key.value, place);
  // A section of the file may be empty; deeper, an empty value would silently stop managing a field.
  if (depth === 0 || !isNothing(value)) return undefined;
  return diagnostic('empty-value', {}, place);
}

const NO_DOLLAR = { problem: 'A reference begins with ${.' };

const NO_ANCHOR =
  'No complete value before this alias has its name; quote a text that begins with *.';

const MERGE_KEY =
  'Merge keys (<<) are not supported; write the keys out, or share them through an entry with expect: any.';

/** The finding for a construct that is refused; the rest of the file can be read. */
function refused(problem: string, place: Place): Diagnostic {
  return diagnostic('yaml-syntax', { problem }, place);
}

/** The levels of a node, and its nodes; long texts count as several, since one can be named as often as a short one. */
function extentOf(node: YamlNode): {
  readonly levels: number;
  readonly size: number;
} {
  if (node.kind === 'scalar')
    return { levels: 0, size: 1 + String(node.value).length / 200 };
  const below = (
    node.kind === 'list' ? node.items : node.pairs.map(({ value }) => value)
  ).map(extentOf);
  return below.reduce(
    (all, { levels, size }) => ({
      levels: Math.max(all.levels, levels + 1),
      size: all.size + size,
    }),
    { levels: 1, size: 1 },
  );
}

/** The comments above a key and behind its value. */
function commentOf(
  { key, value }: Pair,
  above: string | null | undefined,
): string {
  const aboveKey = isScalar(key) ? key.commentBefore : undefined;
  const behind = commentBehind(value);
  if (!above && !aboveKey) return behind;
  return oneLine([above, aboveKey, behind].join(' '));
}

/** The comment at the end of the line of a scalar or of a flow collection. */
function commentBehind(value: unknown): string {
  const isOnLine =
    isScalar(value) || (isCollection(value) && value.flow === true);
  return isOnLine && value.comment ? oneLine(value.comment) : '';
}

function oneLine(comment: string): string {
  return comment.replace(/\s+/g, ' ').trim();
}

/**
 * Refuses a scalar that YAML would store as something else than what is written: `0123`, `1e5`, `1.10`, `True`, `~`,
 * `!!int 0123`, and integers beyond 2^53. Text is taken as it is.
 */
function scalarProblem(node: unknown, place: Place): Diagnostic | undefined {
  if (!isScalar(node) || isNothing(node)) return undefined;
  const { value, source = '' } = node;
  if (typeof value === 'string') return undefined;
  const isUnsafe =
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (String(value) === source && !isUnsafe) return undefined;
  const kind =
    typeof value === 'number'
      ? 'number'
      : typeof value === 'boolean'
        ? 'boolean'
        : 'null';
  return diagnostic('ambiguous-scalar', { kind }, place);
}

/** Whether nothing is written where a value is expected. */
function isNothing(node: unknown): boolean {
  if (node === null || node === undefined) return true;
  return (
    isScalar(node) &&
    node.value === null &&
    (node.source ?? '') === '' &&
    node.tag === undefined
  );
}
