import type { Types } from '../../generated/plan-types.ts';
import { present } from '../model/json.ts';
import type { Policy } from './risk.ts';

/**
 * What plan, apply and the like report: it is saved, rendered and applied.
 * `schemas/plan.schema.json` describes it.
 */
export type Document = Types['document'];
export type ServerDocument = Types['server'];
export type RevisionDocument = Types['revision'];
export type IntegrationDocument = Types['integration'];
export type ChangeDocument = Types['change'];
export type LeftDocument = Types['left'];
export type PlaceDocument = Types['place'];

/**
 * The version of the document. Fields are only ever added within a major
 * version.
 */
export const FORMAT_VERSION = '4.0';

/** The start of a commit's id, by which people know it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** Whether a command writes to servers: it refuses what others warn of. */
export function isWriting(
  command: Document['command'],
): command is 'apply' | 'undo' {
  return command === 'apply' || command === 'undo';
}

/** A server of a saved document, with the policy of the document. */
export interface ReviewedServer extends ServerDocument {
  policy?: Policy | undefined;
}

/** The servers of a saved document. */
export function reviewedServers(document: Document): ReviewedServer[] {
  const { base, policy } = document;
  const common = present({ base, policy });
  return document.servers.map((server) => ({ ...common, ...server }));
}

/**
 * The place of a change that YAML asks for; only those of a comparison have
 * none.
 */
export function requiredSource({ source }: ChangeDocument): PlaceDocument {
  if (source === undefined)
    throw new Error('a change of a plan without a place');
  return source;
}
