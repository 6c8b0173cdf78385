import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all files below a folder, by their paths, with what shows that one was touched. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The variables of setpoint that a shell has once it has loaded a dotenv file. */
export function loaded(path: string): Readonly<Record<string, string>> {
  const script = 'set -a; . "$0"; set +a; exec "$1" -p "JSON.stringify(process.env)"';
  const out = execFileSync('bash', ['--norc', '-c', script, path, process.execPath], {
    env: {},
    encoding: 'utf8',
  });
  const env = Object.entries(JSON.parse(out) as Record<string, string>);
  return Object.fromEntries(env.filter(([name]) => name.startsWith('SETPOINT_')));
}

/** The variables that a dotenv file names. */
export function namedIn(dotenv: string): string[] {
  return [...dotenv.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name = '']) => name);
}
