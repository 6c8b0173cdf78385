import { type Checked, diagnostic } from '../findings/diagnostic.ts';
import { composeYaml, YAML_LIMITS } from './document.ts';
import type { YamlNode } from './node.ts';
import { endsReading, syntaxProblems } from './problem.ts';
import { mergeMarker, placeMaker, strayCharacters, withoutByteOrderMark } from './text.ts';
import { TreeWalk } from './walk.ts';

/** A configuration file as text; `path` is its name in messages. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Parses one file and refuses every construct whose meaning could surprise; finds all problems, not just the first. There
 * is a value wherever the text is YAML, with the refused nodes marked.
 */
export function parseYaml(file: SourceFile): Checked<YamlNode> {
  const text = withoutByteOrderMark(file.text);
  const bytes = Buffer.byteLength(text);
  if (bytes > YAML_LIMITS.bytes) {
    const start = { file: file.path, line: 1, column: 1 };
    return {
      diagnostics: [diagnostic('too-large', { of: 'bytes in this file', limit: YAML_LIMITS.bytes }, start)],
    };
  }
  const placeOf = placeMaker(file.path, text);
  const strays = strayCharacters(text, placeOf);
  if (strays.length > 0) return { diagnostics: strays };
  const marker = mergeMarker(text, placeOf);
  if (marker !== undefined) return { diagnostics: [marker] };
  const composed = composeYaml(text, placeOf);
  if ('code' in composed) return { diagnostics: [composed] };
  const problems = syntaxProblems(composed, text, placeOf);
  if (problems.some(endsReading)) return { diagnostics: problems };
  const walk = new TreeWalk(placeOf);
  const value = walk.visit(composed.doc.contents);
  const diagnostics = [...problems, ...walk.diagnostics];
  if (diagnostics.some(endsReading)) return { diagnostics };
  return { value: composed.second === undefined ? value : lacking(value), diagnostics };
}

/** A second document may hold what the first one lacks. */
function lacking(node: YamlNode): YamlNode {
  return node.kind === 'map' ? { refused: [], ...node } : { ...node, isRefused: true };
}
