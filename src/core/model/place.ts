/**
 * A place in a configuration file. Lines and columns count from 1, columns in
 * UTF-16 units.
 */
export interface Place {
  file: string;
  line: number;
  column: number;
  /**
   * The column after the last character, on the same line; absent where the end
   * is unknown.
   */
  endColumn?: number | undefined;
}

/** Equal for places that begin at the same character. */
export function placeKey(place: Place | undefined): string {
  return `${place?.file}:${place?.line}:${place?.column}`;
}

/** A text in a configuration file. */
export interface PlacedText {
  text: string;
  place: Place;
}

/** A part of a file's text, in UTF-16 units from its start. */
export type Span = readonly [from: number, to: number];

/** A configuration file as text; `path` is its name in messages. */
export interface SourceFile {
  path: string;
  text: string;
}

/**
 * The text of a configuration file, and the parts that an excerpt must not
 * show.
 */
export interface SourceText {
  text: string;
  /**
   * Finds nothing where the file is not YAML: then all values count as hidden.
   */
  hidden: () => readonly Span[] | undefined;
  /**
   * The keys of the places of texts that are no secrets and that findings are
   * about.
   */
  shown?: ReadonlySet<string> | undefined;
}

/** The texts of configuration files by their paths. */
export type Sources = ReadonlyMap<string, SourceText>;
