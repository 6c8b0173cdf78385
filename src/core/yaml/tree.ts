import { type Checked, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { composeYaml, YAML_LIMITS } from './document.ts';
import type { LocatedNode } from './location.ts';
import { syntaxProblems } from './problem.ts';
import type { Soundness } from './soundness.ts';
import { type PlaceOf, placeMaker, strayCharacters, withoutByteOrderMark } from './text.ts';
import { TreeWalk } from './walk.ts';

/** A configuration file as text; `path` is how people call it in this run. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A YAML file as plain data, with the place of each node under its JSON pointer, and what of it was refused. */
export interface YamlTree {
  readonly raw: unknown;
  readonly soundness: Soundness;
  readonly nodes: ReadonlyMap<string, LocatedNode>;
}

/**
 * Parses one file and refuses every construct whose meaning could surprise; finds all problems, not the first. The value is
 * there wherever the rest can be relied on.
 */
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
  const walk = new TreeWalk(placeOf);
  const raw = walk.visit(composed.doc.contents, '', 0);
  const diagnostics = [...problems, ...walk.diagnostics];
  if (composed.second !== undefined) walk.soundness.loseKeyOf('');
  // Another version of YAML reads words as other values, and where aliases were not followed, there is no telling what lacks.
  if (diagnostics.some(({ code }) => code === 'yaml-version' || code === 'too-many-aliases'))
    return { diagnostics };
  return { value: { raw, nodes: walk.nodes, soundness: walk.soundness }, diagnostics };
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
