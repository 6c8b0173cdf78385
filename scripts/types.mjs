// Keeps of the types that were made those that the public ones lead to: the rest of the house is nobody's business.
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const FOLDER = join('dist', 'types');

const kept = new Set();
await keep(join(FOLDER, 'index.d.ts'));
const made = await readdir(FOLDER, { recursive: true });
const files = made
  .filter((name) => name.endsWith('.d.ts'))
  .map((name) => join(FOLDER, name));
await Promise.all(
  files.filter((file) => !kept.has(file)).map((file) => rm(file)),
);

/** Keeps a file and all that it imports. */
async function keep(file) {
  if (kept.has(file)) return;
  kept.add(file);
  const text = await readFile(file, 'utf8');
  const targets = [
    ...text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g),
  ];
  for (const [, target] of targets)
    await keep(join(dirname(file), `${target}.d.ts`));
}
