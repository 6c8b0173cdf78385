import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { PlanSnapshot } from '../../core/plan/plan.ts';
import type { Snapshot } from '../../core/snapshot/document.ts';
import { fail } from '../failure.ts';
import type { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import { readRegularFile, type Unread, unreadable, utf8 } from './regular-file.ts';

/** The largest snapshot that is read, in bytes: some 300,000 options. */
const LARGEST_SNAPSHOT = 128 * 1024 * 1024;

/** A snapshot, and the file that it is in, as it was named. */
export interface NamedSnapshot extends Snapshot {
  readonly path: string;
}

/** Reads a snapshot that `snapshot --out` wrote; fails where the file holds none. */
export async function readSnapshot(run: Run, path: string): Promise<NamedSnapshot> {
  const found = await snapshotIn(run, path);
  if ('reason' in found) return fail(unreadable(path, found));
  if ('problem' in found) return fail(diagnostic('snapshot-malformed', { path, problem: found.problem }));
  return { ...found, path };
}

/** Whether a file is a snapshot, which a later one may replace. */
export async function isSnapshot(run: Run, path: string): Promise<boolean> {
  const found = await snapshotIn(run, path);
  return !('reason' in found || 'problem' in found);
}

/** What a file holds, or why it is not read. */
async function snapshotIn(run: Run, path: string): Promise<Snapshot | { readonly problem: string } | Unread> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST_SNAPSHOT });
  if ('reason' in content) return content;
  // Its validator is loaded where there is a snapshot.
  const { decodeSnapshot } = await import('../../core/snapshot/decode.ts');
  return decodeSnapshot(utf8(content.bytes) ?? '');
}

/** When a snapshot was taken and how old it is, in whole days. */
export function ageOf({ takenAt }: Snapshot, now: number): PlanSnapshot {
  const age = now - Date.parse(takenAt);
  // It is kept to the second.
  if (age < -MILLISECONDS_PER_SECOND) return { takenAt, days: 0, isFuture: true };
  return { takenAt, days: Math.max(0, Math.floor(age / MILLISECONDS_PER_DAY)) };
}

const MILLISECONDS_PER_SECOND = 1_000;

const MILLISECONDS_PER_DAY = 86_400_000;

/** What is read of a server to compare it, or of what a snapshot has in its place. */
export type InstalledReader = Pick<LiveReader, 'list' | 'isPaged' | 'byId' | 'complete'>;

/** Reads what a snapshot holds, as if a server had shown all of it in one list. */
export function snapshotReader(live: readonly LiveIntegration[]): InstalledReader {
  return {
    isPaged: false,
    list: async () => live,
    byId: async () => undefined,
    complete: async () => live,
  };
}
