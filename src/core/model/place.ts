/** A place in a configuration file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The column after the last character, on the same line; absent where the end is unknown. */
  readonly endColumn?: number | undefined;
}

/** A part of a file's text, in UTF-16 units from its start. */
export type Span = readonly [from: number, to: number];

/** A configuration file as text; `path` is its name in messages. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The text of a configuration file, and what an excerpt of it must not show. */
export interface SourceText {
  readonly text: string;
  /** Finds nothing where the file is not YAML: then all values count as hidden. */
  readonly hidden: () => readonly Span[] | undefined;
  /** The places of texts that are no secrets and that findings are about, as `line:column`. */
  readonly shown?: ReadonlySet<string> | undefined;
}

/** A field of an integration: the flag of its own, or one of an option. */
type FieldName =
  | { readonly field: 'autosubscribe' }
  | { readonly field: 'value' | 'permission'; readonly option: string };

/** Where a field is inside its integration: `autosubscribe`, `options.apiKey.value`. */
export function pathOf(name: FieldName): string {
  return name.field === 'autosubscribe'
    ? name.field
    : `options.${name.option}.${name.field}`;
}

/** The address of a field: `virustotal.options.apiKey.value`. It is composed and compared; names and keys may hold dots. */
export function fieldAddress(integration: string, name: FieldName): string {
  return `${integration}.${pathOf(name)}`;
}

/**
 * Whether what a person typed names the field with an address: an integration, an option (`virustotal.options.apiKey`), the
 * address itself, also without `options`, or `virustotal.apiKey` for the value of that option.
 */
export function namesField(
  typed: string,
  integration: string,
  address: string,
): boolean {
  if (typed === integration) return true;
  if (!typed.startsWith(`${integration}.`)) return false;
  const short = `${integration}.options.${typed.slice(integration.length + 1)}`;
  return [
    typed,
    `${typed}.value`,
    `${typed}.permission`,
    short,
    `${short}.value`,
  ].includes(address);
}
