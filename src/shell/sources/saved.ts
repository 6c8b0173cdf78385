import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { Document, ServerDocument } from '../../core/plan/plan.ts';
import type { decodeSavedReport } from '../../core/plan/saved.ts';
import type { Snapshot } from '../../core/snapshot/snapshot.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { readRegularFile, unreadable, utf8 } from './files.ts';

/** The largest plan and the largest snapshot that are read, in bytes: some 300,000 options. */
const LARGEST = { plan: 256 * 1024 * 1024, snapshot: 128 * 1024 * 1024 };

/** Whether a word of the command line means a saved plan: it ends like one, or is a file. */
export async function isSavedPlan(word: string, cwd: string): Promise<boolean> {
  if (word.endsWith('.json')) return true;
  const found = await stat(resolve(cwd, word)).catch(() => undefined);
  return found?.isFile() === true;
}

/** The reviewed plan of each server, by its name. */
export type ReviewedPlans = ReadonlyMap<string, ServerDocument>;

/** Reads the report of a plan or of an apply; fails if the file holds none that `decode` takes. */
export async function readSaved(run: Run, path: string, decode: typeof decodeSavedReport): Promise<Document> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST.plan });
  if ('reason' in content) return fail(unreadable(path, content));
  const saved = decode(jsonIn(content.bytes));
  return 'problem' in saved
    ? fail(diagnostic('plan-unusable', { plan: path, problem: saved.problem }))
    : saved.document;
}

/** Decodes JSON, without a byte order mark; undefined for other text. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8(bytes) ?? '');
  } catch {
    return undefined;
  }
}

/** A snapshot, and the file that it is in, as it was named. */
export interface NamedSnapshot extends Snapshot {
  readonly path: string;
}

/** Reads a snapshot that `snapshot --out` wrote; fails if the file holds none. */
export async function readSnapshot(run: Run, path: string): Promise<NamedSnapshot> {
  const content = await readLarge(run, path);
  if ('reason' in content) return fail(unreadable(path, content));
  const found = await snapshotIn(content.bytes);
  if ('problem' in found) return fail(diagnostic('snapshot-unusable', { path, problem: found.problem }));
  return { ...found, path };
}

/** Whether a snapshot may take the place of a file: it holds one, or nothing. */
export async function isReplaceable(run: Run, path: string): Promise<boolean> {
  const content = await readLarge(run, path);
  if ('reason' in content) return false;
  return content.bytes.length === 0 || !('problem' in (await snapshotIn(content.bytes)));
}

function readLarge(run: Run, path: string) {
  return readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST.snapshot });
}

async function snapshotIn(bytes: Uint8Array) {
  // Its validator is loaded with the first snapshot.
  const { decodeSnapshot } = await import('../../core/snapshot/read.ts');
  return decodeSnapshot(utf8(bytes) ?? '');
}
