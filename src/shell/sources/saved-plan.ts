import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { Document, ServerDocument } from '../../core/plan/plan.ts';
import { decodeSavedPlan, decodeSavedReport } from '../../core/plan/saved.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { jsonIn, readRegularFile, unreadable } from './regular-file.ts';

/** The largest plan that is read, in bytes. */
const LARGEST_PLAN = 256 * 1024 * 1024;

/** Whether a word of the command line means a saved plan: it ends like one, or is a file. */
export async function isSavedPlan(word: string, cwd: string): Promise<boolean> {
  if (word.endsWith('.json')) return true;
  const found = await stat(resolve(cwd, word)).catch(() => undefined);
  return found?.isFile() === true;
}

/** The reviewed plan of each server, by its name. */
export type ReviewedPlans = ReadonlyMap<string, ServerDocument>;

/** Reads a plan that `plan --report json=FILE` wrote; fails where the file holds none. */
export function readSavedPlan(run: Run, path: string): Promise<Document> {
  return readDocument(run, path, decodeSavedPlan);
}

/** The plans of a document, by the names of their servers. */
export function plansIn(document: Document): ReviewedPlans {
  return new Map(document.servers.map((server) => [server.name, server]));
}

/** Reads the report of a plan or of an apply, to show it; fails where the file holds none. */
export function readSavedReport(run: Run, path: string): Promise<Document> {
  return readDocument(run, path, decodeSavedReport);
}

async function readDocument(run: Run, path: string, decode: typeof decodeSavedReport): Promise<Document> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST_PLAN });
  if ('reason' in content) return fail(unreadable(path, content));
  const saved = decode(jsonIn(content.bytes));
  return 'problem' in saved
    ? fail(diagnostic('plan-unusable', { plan: path, problem: saved.problem }))
    : saved.document;
}
