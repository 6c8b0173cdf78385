/** Where something stands in a configuration file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The column just behind the last character, on the same line; absent where the span is not known. */
  readonly endColumn?: number;
}
