import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { parseJson } from '../../core/model/json.ts';
import type { Document } from '../../core/plan/plan-document.ts';
import type { SavedReader } from '../../core/plan/saved.ts';
import type { TakenServer } from '../../core/snapshot/snapshot.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from './files.ts';

const UNDO_HINT =
  'Pass the file that setpoint apply --report json=FILE wrote, and name its servers.';

/**
 * Reads the report of a plan or of an apply. Fails if the file holds none that
 * a command takes.
 */
export async function readSaved(
  run: Run,
  path: string,
  command: SavedReader,
): Promise<Document> {
  const text = await readNamed(run, path);
  // Its validator is large.
  const { decodeSaved } = await import('../../core/plan/saved.ts');
  const saved = decodeSaved(parseJson(text), command);
  if ('document' in saved) return saved.document;
  const { problem } = saved;
  const hint = command === 'undo' ? UNDO_HINT : undefined;
  return fail(diagnostic('file-unusable', { file: path, problem, hint }));
}

/**
 * Reads a snapshot that `snapshot --out` wrote. Fails if the file holds none.
 */
export async function readSnapshot(
  run: Run,
  path: string,
): Promise<TakenServer> {
  const text = await readNamed(run, path);
  const { decodeSnapshot } = await import('../../core/snapshot/snapshot.ts');
  const snapshot = decodeSnapshot(text);
  if ('live' in snapshot) return snapshot;
  const { problem } = snapshot;
  const hint = 'Take one with setpoint snapshot --out FILE.';
  return fail(diagnostic('file-unusable', { file: path, problem, hint }));
}

async function readNamed(run: Run, path: string): Promise<string> {
  const content = await readTextFile(run, resolve(run.runtime.cwd, path));
  return 'text' in content ? content.text : fail(unreadable(path, content));
}
