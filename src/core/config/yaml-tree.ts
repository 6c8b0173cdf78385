import type { Document } from 'yaml';
import { type Checked, type Diagnostic, diagnostic } from '../diagnostic.ts';
import { composeYaml, YAML_LIMITS } from './yaml-document.ts';
import type { LocatedNode } from './yaml-location.ts';
import { syntaxProblems } from './yaml-problem.ts';
import { type PlaceOf, placeMaker, strayCharacters, withoutByteOrderMark } from './yaml-text.ts';
import { TreeWalk } from './yaml-walk.ts';

/** A configuration file as text; `path` is how people call it in this run. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A YAML file as plain data, with the place of each node under its JSON pointer. */
export interface YamlTree {
  readonly raw: unknown;
  readonly nodes: ReadonlyMap<string, LocatedNode>;
}

/** Parses one file and refuses every construct whose meaning could surprise; finds all problems, not the first. */
export function parseYaml(file: SourceFile): Checked<YamlTree> {
  const text = withoutByteOrderMark(file.text);
  const bytes = Buffer.byteLength(text);
  if (bytes > YAML_LIMITS.bytes) {
    const start = { file: file.path, line: 1, column: 1 };
    return { diagnostics: [diagnostic('file-too-large', { bytes, limit: YAML_LIMITS.bytes }, start)] };
  }
  const placeOf = placeMaker(file.path, text);
  const strays = strayCharacters(text, placeOf);
  if (strays.length > 0) return { diagnostics: strays };
  const composed = composeYaml(text);
  if ('limit' in composed) return { diagnostics: [limitProblem(composed, placeOf)] };
  const problems = syntaxProblems(composed, text, placeOf);
  if (problems.some(({ code }) => code === 'yaml-syntax')) return { diagnostics: problems };
  const { value, diagnostics } = walked(composed.doc, placeOf);
  const all = [...problems, ...diagnostics];
  return value === undefined || problems.length > 0 ? { diagnostics: all } : { value, diagnostics: all };
}

function limitProblem(
  { limit, offset }: { readonly limit: 'tokens' | 'depth'; readonly offset: number },
  placeOf: PlaceOf,
): Diagnostic {
  const place = placeOf(offset, offset + 1);
  return limit === 'depth'
    ? diagnostic('too-deep', { limit: YAML_LIMITS.depth }, place)
    : diagnostic('too-complex', { limit: YAML_LIMITS.tokens }, place);
}

/** What is refused without taking anything out of the data, so that the schema can be asked as well. */
const KEEPS_SHAPE: ReadonlySet<string> = new Set(['ambiguous-scalar', 'unsafe-integer', 'duplicate-key']);

function walked(doc: Document, placeOf: PlaceOf): Checked<YamlTree> {
  const walk = new TreeWalk(placeOf);
  const raw = walk.visit(doc.contents, '', 0);
  const { diagnostics } = walk;
  const isWhole = diagnostics.every(({ code }) => KEEPS_SHAPE.has(code));
  return isWhole ? { value: { raw, nodes: walk.nodes }, diagnostics } : { diagnostics };
}
