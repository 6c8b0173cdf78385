import { isNode, LineCounter, parseDocument } from 'yaml';

/** A part of a catalog that cannot be hosted as it is written. */
export interface Unhosted {
  /** Relative to the folder of the catalog. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** A sentence without the full stop. */
  readonly problem: string;
  /** What is left out: the file, or only the default of an option. */
  readonly leftOut: 'file' | 'default';
}

/** The longest text in which places are looked for, in characters; real files have a few thousand. */
const LONGEST = 64 * 1024;

/** Finds lines and columns of the parts of a JSON text; its start in a long text, and where there is no such part. */
export function createLocator(
  json: string,
): (path: readonly (string | number)[]) => Pick<Unhosted, 'line' | 'column'> {
  const lineCounter = new LineCounter();
  // JSON as YAML, whose nodes know their places.
  const text = json.length > LONGEST ? '' : json;
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  return (path) => {
    const node = document.getIn(path, true);
    const { line, col } = lineCounter.linePos((isNode(node) && node.range?.[0]) || 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}
