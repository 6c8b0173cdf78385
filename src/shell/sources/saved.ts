import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { parseJson } from '../../core/model/json.ts';
import type { Document } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from './files.ts';

/** The largest plan and the largest snapshot that are read, in bytes: some 300,000 options. */
const LARGEST = { plan: 256 * 1024 * 1024, snapshot: 128 * 1024 * 1024 };

/** Reads the report of a plan or of an apply; fails if the file holds none that a command takes. */
export async function readSaved(
  run: Run,
  path: string,
  command: 'show' | 'apply' | 'merge',
): Promise<Document> {
  // Its validator is large.
  const { decodeSaved } = await import('../../core/plan/saved.ts');
  const saved = decodeSaved(
    parseJson(await readNamed(run, path, LARGEST.plan)),
    command,
  );
  return 'problem' in saved
    ? fail(diagnostic('plan-unusable', { plan: path, problem: saved.problem }))
    : saved.document;
}

async function readNamed(
  run: Run,
  path: string,
  most: number,
): Promise<string> {
  const content = await readTextFile(run, resolve(run.runtime.cwd, path), {
    most,
    mayBePipe: true,
  });
  return 'text' in content ? content.text : fail(unreadable(path, content));
}

/** Reads a snapshot that `snapshot --out` wrote, and keeps its path as it was named; fails if the file holds none. */
export async function readSnapshot(run: Run, path: string) {
  const text = await readNamed(run, path, LARGEST.snapshot);
  const { decodeSnapshot } = await import('../../core/snapshot/snapshot.ts');
  const found = decodeSnapshot(text);
  if ('problem' in found)
    return fail(
      diagnostic('snapshot-unusable', { path, problem: found.problem }),
    );
  return { ...found, path };
}
