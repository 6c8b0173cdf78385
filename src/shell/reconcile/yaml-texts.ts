import { join } from 'node:path';
import { YAML_LIMITS } from '../../core/yaml/document.ts';
import type { Run } from '../run.ts';
import { readRegularFile } from '../sources/regular-file.ts';

/** How deep files are looked for, and how many of them are read. */
const LIMITS = { depth: 4, files: 2_000 } as const;

/** The texts of the YAML that a run has read, and of that in a folder, whatever it is for; what cannot be read is left out. */
export async function yamlTexts(run: Run, folder: string): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  const names = await glob('**/*.{yaml,yml}', {
    cwd: folder,
    deep: LIMITS.depth,
    ignore: ['**/node_modules/**'],
    caseSensitiveMatch: false,
    followSymbolicLinks: false,
  }).catch(() => []);
  const read = await Promise.all(
    names
      .slice(0, LIMITS.files)
      .map((name) => readRegularFile(run, join(folder, name), { most: YAML_LIMITS.bytes })),
  );
  const known = [...run.sources].filter(([path]) => /\.ya?ml$/i.test(path)).map(([, { text }]) => text);
  return [...known, ...read.flatMap((content) => ('bytes' in content ? [content.bytes.toString()] : []))];
}
