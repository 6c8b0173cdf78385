/** One file: what it shows, its text, and the findings as `code line:column`, in the order of their places. */
export type Case = readonly [
  name: string,
  text: string,
  expected: readonly string[],
];

/** A file with these options of one entry; they begin at line 5, column 7. */
export function options(yaml: string): string {
  return `version: 1\nintegrations:\n  vt:\n    options:\n${yaml.replace(/^/gm, '      ')}\n`;
}

/** A file with these named values, which an option uses; they begin at line 3, column 3. */
export function values(yaml: string): string {
  return `version: 1\nvalues:\n${yaml.replace(/^/gm, '  ')}\nintegrations:\n  vt:\n    options: { text: '\${value:a}' }\n`;
}
