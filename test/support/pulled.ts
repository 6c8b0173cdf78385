import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** The variables of setpoint that a shell has once it has loaded a dotenv file. */
export function loaded(path: string): Readonly<Record<string, string>> {
  const script = 'set -a; . "$0"; set +a; exec env -0';
  const options = {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  } as const;
  const lines = execFileSync(
    'bash',
    ['--norc', '-c', script, path],
    options,
  ).split('\0');
  const own = lines.filter((line) => line.startsWith('SETPOINT_'));
  return Object.fromEntries(
    own.map((line) => [line.replace(/=.*/s, ''), line.replace(/^.*?=/, '')]),
  );
}
