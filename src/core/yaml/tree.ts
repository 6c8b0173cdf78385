import type { Checked } from '../findings/diagnostic.ts';
import { composeYaml, tooLarge, YAML_LIMITS } from './document.ts';
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
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes)
    return { diagnostics: [tooLarge('bytes', { file: file.path, line: 1, column: 1 })] };
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
  return diagnostics.some(endsReading) ? { diagnostics } : { value, diagnostics };
}
