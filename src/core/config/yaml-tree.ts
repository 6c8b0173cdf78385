import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { type Checked, type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { Place } from '../model.ts';
import { tokenAt, type YamlToken, yamlTokens } from '../yaml-tokens.ts';
import { scalarProblem } from './scalar-form.ts';
import { syntaxProblem } from './yaml-problem.ts';

/** A configuration file as text; `path` is how people call it in this run. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Where one node stands, by its JSON pointer. */
interface Located {
  readonly key?: Place;
  readonly value: Place;
  readonly comment?: string;
}

/** A YAML file as plain data, with the place of each node under its JSON pointer. */
export interface YamlTree {
  readonly raw: unknown;
  readonly nodes: ReadonlyMap<string, Located>;
}

/** Limits of product safety: what is beyond them is refused before it costs time. */
export const YAML_LIMITS = { bytes: 2 * 1024 * 1024, keys: 5_000, depth: 64, aliasNodes: 10_000 } as const;

/** Parses one file and refuses every construct whose meaning could surprise; finds all problems, not the first. */
export function parseYaml(file: SourceFile): Checked<YamlTree> {
  const bytes = Buffer.byteLength(file.text);
  const start = { file: file.path, line: 1, column: 1 };
  if (bytes > YAML_LIMITS.bytes) {
    return { diagnostics: [diagnostic('file-too-large', { bytes, limit: YAML_LIMITS.bytes }, start)] };
  }
  const lines = new LineCounter();
  const tokens = yamlTokens(file.text);
  const doc = isFlatEnough(tokens) ? composed(file.text, lines) : undefined;
  if (doc === undefined)
    return { diagnostics: [diagnostic('too-deep', { limit: YAML_LIMITS.depth }, start)] };
  const placeOf = placeMaker(file, lines);
  const problems = syntaxProblems(doc, tokens, placeOf);
  if (problems.length > 0) return { diagnostics: problems };
  const walk = new TreeWalk(doc, placeOf);
  const raw = walk.visit(doc.contents, '', 0);
  return walk.diagnostics.length > 0
    ? { diagnostics: walk.diagnostics }
    : { value: { raw, nodes: walk.nodes }, diagnostics: [] };
}

type PlaceOf = (from: number, to: number) => Place;

/** Whether brackets and list marks are not nested beyond the limit. Found before composing, which is recursive. */
function isFlatEnough(tokens: readonly YamlToken[]): boolean {
  const open = { brackets: 0, marks: 0 };
  return tokens.every(({ source, isScalar }) => {
    if (isScalar) return true;
    if (source === '[' || source === '{') open.brackets += 1;
    else if (source === ']' || source === '}') open.brackets -= 1;
    else if (source === '-' || source === '?') open.marks += 1;
    else if (source.endsWith('\n')) open.marks = 0;
    return open.brackets <= YAML_LIMITS.depth && open.marks <= YAML_LIMITS.depth;
  });
}

/** The composed document; undefined where it is nested so deep that composing it runs out of stack. */
function composed(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, {
      lineCounter,
      version: '1.2',
      schema: 'core',
      prettyErrors: false,
      uniqueKeys: false,
      merge: false,
      logLevel: 'error',
    });
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function placeMaker(file: SourceFile, lines: LineCounter): PlaceOf {
  return (from, to) => {
    const { line, col } = lines.linePos(from);
    const lineStart = from - (col - 1);
    const newline = file.text.indexOf('\n', from);
    const lineEnd = newline < 0 ? file.text.length : newline;
    const endColumn = Math.max(col + 1, Math.min(to, lineEnd) - lineStart + 1);
    return { file: file.path, line: Math.max(1, line), column: Math.max(1, col), endColumn };
  };
}

function syntaxProblems(doc: Document, tokens: readonly YamlToken[], placeOf: PlaceOf): Diagnostic[] {
  const found = [...doc.errors, ...doc.warnings].map(({ code, pos }) => {
    const unclosed = code === 'MISSING_CHAR' ? openQuote(tokens, pos[0]) : undefined;
    return syntaxProblem(code, unclosed === undefined ? placeOf(...pos) : placeOf(unclosed, unclosed + 1));
  });
  const { explicit, version } = doc.directives?.yaml ?? {};
  const foreign = explicit && version !== '1.2' ? [diagnostic('yaml-version', {}, placeOf(0, 0))] : [];
  return [...foreign, ...found];
}

/** Where the quote begins that is missing its end: the parser only says where the text ended. */
function openQuote(tokens: readonly YamlToken[], offset: number): number | undefined {
  const token = tokens[tokenAt(tokens, offset - 1)];
  const quote = token?.source[0];
  if (token === undefined || (quote !== '"' && quote !== "'")) return undefined;
  return token.source.length > 1 && token.source.endsWith(quote) ? undefined : token.from;
}

/** One pass over the nodes of a document. It holds what it found; it is used once. */
class TreeWalk {
  readonly nodes = new Map<string, Located>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #doc: Document;
  readonly #placeOf: PlaceOf;
  readonly #openAnchors = new Set<Node>();
  #aliasNodes = 0;

  constructor(doc: Document, placeOf: PlaceOf) {
    this.#doc = doc;
    this.#placeOf = placeOf;
  }

  visit(node: unknown, pointer: string, depth: number): unknown {
    if (!isMap(node) && !isSeq(node) && !isScalar(node) && !isAlias(node)) return null;
    if (!this.nodes.has(pointer)) this.nodes.set(pointer, { value: this.#place(node) });
    if (depth > YAML_LIMITS.depth)
      return this.#refuse(diagnostic('too-deep', { limit: YAML_LIMITS.depth }, this.#place(node)));
    if (this.#openAnchors.size > 0 && ++this.#aliasNodes > YAML_LIMITS.aliasNodes) return null;
    if (isAlias(node)) return this.#alias(node, pointer, depth);
    if (isMap(node)) return this.#map(node, pointer, depth);
    if (isSeq(node))
      return node.items.map((item, index) => this.visit(item, `${pointer}/${index}`, depth + 1));
    const problem = scalarProblem(node, this.#place(node));
    return problem === undefined ? node.value : this.#refuse(problem);
  }

  #alias(node: Alias, pointer: string, depth: number): unknown {
    const target = node.resolve(this.#doc);
    const tooMany = () =>
      diagnostic('too-many-aliases', { limit: YAML_LIMITS.aliasNodes }, this.#place(node));
    if (target === undefined) return this.#refuse(syntaxProblem('BAD_ALIAS', this.#place(node)));
    if (this.#openAnchors.has(target)) return this.#refuse(tooMany());
    const before = this.#aliasNodes;
    this.#openAnchors.add(target);
    const value = this.visit(target, pointer, depth + 1);
    this.#openAnchors.delete(target);
    const crossed = before <= YAML_LIMITS.aliasNodes && this.#aliasNodes > YAML_LIMITS.aliasNodes;
    return crossed && this.#openAnchors.size === 0 ? this.#refuse(tooMany()) : value;
  }

  #map(node: YAMLMap, pointer: string, depth: number): unknown {
    if (node.items.length > YAML_LIMITS.keys) {
      return this.#refuse(diagnostic('too-many-keys', { limit: YAML_LIMITS.keys }, this.#place(node)));
    }
    const firsts = new Map<string, Place>();
    const entries = node.items.flatMap(({ key, value }): [string, unknown][] => {
      const name = this.#key(key, firsts);
      if (name === undefined) return [];
      const child = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const place = this.#place(key);
      const comment = commentOf(key, value);
      this.nodes.set(child, {
        key: place,
        value: isNodeWithRange(value) ? this.#place(value) : place,
        ...(comment === undefined ? {} : { comment }),
      });
      return [[name, this.visit(value, child, depth + 1)]];
    });
    return Object.fromEntries(entries);
  }

  #key(key: unknown, firsts: Map<string, Place>): string | undefined {
    const place = this.#place(key);
    if (!isScalar(key) || typeof key.value !== 'string') {
      this.#refuse(diagnostic('non-string-key', {}, place));
      return undefined;
    }
    const first = firsts.get(key.value);
    if (key.value === '<<' && key.type === 'PLAIN') this.#refuse(diagnostic('merge-key', {}, place));
    else if (first !== undefined) this.#refuse(diagnostic('duplicate-key', { key: key.value, first }, place));
    else {
      firsts.set(key.value, place);
      return key.value;
    }
    return undefined;
  }

  #place(node: unknown): Place {
    const range = isNodeWithRange(node) ? node.range : undefined;
    return this.#placeOf(range?.[0] ?? 0, range?.[1] ?? 0);
  }

  #refuse(problem: Diagnostic): null {
    this.diagnostics.push(problem);
    return null;
  }
}

function isNodeWithRange(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
}

/** The comment above a key or behind its value, on one line. */
function commentOf(key: unknown, value: unknown): string | undefined {
  const above = isScalar(key) ? key.commentBefore : undefined;
  const behind = isScalar(value) ? value.comment : undefined;
  const text = [above, behind]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text;
}
