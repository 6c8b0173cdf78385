import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { Snapshot } from '../../core/snapshot/document.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { readRegularFile, unreadable, utf8 } from './regular-file.ts';

/** The largest snapshot that is read, in bytes: some 300,000 options. */
const LARGEST_SNAPSHOT = 128 * 1024 * 1024;

/** A snapshot, and the file that it is in, as it was named. */
export interface NamedSnapshot extends Snapshot {
  readonly path: string;
}

/** Reads a snapshot that `snapshot --out` wrote; fails where the file holds none. */
export async function readSnapshot(run: Run, path: string): Promise<NamedSnapshot> {
  const content = await contentOf(run, path);
  if ('reason' in content) return fail(unreadable(path, content));
  const found = await decoded(content.bytes);
  if ('problem' in found) return fail(diagnostic('snapshot-unusable', { path, problem: found.problem }));
  return { ...found, path };
}

/** Whether a snapshot may take the place of a file: it holds one, or nothing. */
export async function isReplaceable(run: Run, path: string): Promise<boolean> {
  const content = await contentOf(run, path);
  if ('reason' in content) return false;
  return content.bytes.length === 0 || !('problem' in (await decoded(content.bytes)));
}

function contentOf(run: Run, path: string) {
  return readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST_SNAPSHOT });
}

async function decoded(bytes: Uint8Array) {
  // Its validator is loaded where there is a snapshot.
  const { decodeSnapshot } = await import('../../core/snapshot/read.ts');
  return decodeSnapshot(utf8(bytes) ?? '');
}

/** When a snapshot was taken and how old it is, in whole days. */
export function ageOf({ takenAt }: Snapshot, now: number) {
  const age = now - Date.parse(takenAt);
  // It is kept to the second.
  if (age < -MILLISECONDS_PER_SECOND) return { takenAt, days: 0, isFuture: true };
  return { takenAt, days: Math.max(0, Math.floor(age / MILLISECONDS_PER_DAY)) };
}

const MILLISECONDS_PER_SECOND = 1_000;

const MILLISECONDS_PER_DAY = 86_400_000;
