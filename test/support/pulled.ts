import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** What the JSON of a pull tells of its server, as far as tests look at it. */
export interface Pulled {
  readonly files: readonly { readonly path: string }[];
  readonly secrets?: { readonly path: string; readonly count: number };
  readonly variables: readonly {
    readonly variable: string;
    readonly address: string;
    readonly isShown: boolean;
  }[];
  readonly leftOut: readonly {
    readonly address: string;
    readonly reason: string;
  }[];
  readonly notInstalled: readonly string[];
  readonly next: readonly { readonly text: string }[];
}

/** The texts of all files below a folder, by their paths, with what shows that one was touched. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, {
    recursive: true,
    encoding: 'utf8',
  }).sort();
  return new Map(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [
        name.replaceAll('\\', '/'),
        readFileSync(join(folder, name), 'utf8'),
      ]),
  );
}

/** The variables of a dotenv file, as references read them. */
export function loaded(path: string): Readonly<Record<string, string>> {
  const read = parseEnv(readFileSync(path, 'utf8'));
  return Object.fromEntries(
    Object.entries(read).map(([name, text = '']) => [name, text]),
  );
}
