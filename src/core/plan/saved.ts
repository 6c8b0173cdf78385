import { type Validator, validate } from '../../generated/plan-validator.js';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { recordOf, textOf } from '../model/json.ts';
import {
  type ChangeDocument,
  type Document,
  FORMAT_VERSION,
  isWriting,
} from './plan-document.ts';

/** A command that reads reports. */
export type SavedReader = 'show' | 'apply' | 'merge' | 'undo';

/**
 * Decodes the report of a plan or of an apply for a command, or says why that
 * cannot take it. It may have been edited: what is applied is compared with a
 * new plan, and can only narrow that.
 */
export function decodeSaved(raw: unknown, command: SavedReader) {
  const writer = command === 'undo' ? 'apply' : 'plan';
  const written = `a report of setpoint ${writer} --report json`;
  const wrong = formProblem(raw, validate, {
    version: FORMAT_VERSION,
    written,
    shape: 'a plan',
  });
  if (wrong !== undefined) return { problem: wrong };
  // It has the shape of the schema, which the type is made from.
  const document = raw as Document;
  const problem = problemOf(document, command);
  return problem === undefined ? { document } : { problem };
}

/** Why a report is not of a plan that can be shown or applied. */
function problemOf(
  document: Document,
  command: SavedReader,
): string | undefined {
  const { servers } = document;
  // Only what a comparison shows has no place in the YAML.
  const changes = document.command === 'compare' ? [] : changesIn(servers);
  if (changes.some(({ source }) => source === undefined)) {
    return 'a change in it has no source';
  }
  if (isDoubled(servers)) {
    return 'it names a server or an integration twice';
  }
  if (servers.some(({ only = '' }) => isCostlyGlob(only))) {
    return 'a glob in it has too many wildcards';
  }
  if (command === 'undo' && !isWriting(document.command)) {
    return `it is the report of setpoint ${document.command}, which writes nothing`;
  }
  if (servers.length === 0 && command !== 'merge') {
    return NO_PLAN;
  }
  return command === 'apply' ? problemOfApply(document) : undefined;
}

const NO_PLAN = 'it is the report of a run that made no complete plan';

function problemOfApply(document: Document): string | undefined {
  const { servers, complete, shard } = document;
  if (complete !== true) return NO_PLAN;
  if (shard !== undefined) {
    return 'it is one shard of a plan: merge the reports of all shards, and apply that';
  }
  if (changesIn(servers).some(({ outcome }) => outcome !== undefined)) {
    return 'it is the report of an apply: show takes it, and apply takes the report of a plan';
  }
  const isOffline = servers.some(({ snapshot }) => snapshot !== undefined);
  return isOffline
    ? 'it was made from a snapshot, not from the server'
    : undefined;
}

/** Whether two servers share a name, or two integrations of a server an id. */
function isDoubled(servers: Document['servers']): boolean {
  const lists = [servers.map(({ name }) => name)];
  for (const { integrations } of servers) {
    lists.push(integrations.map(({ id }) => id));
  }
  return lists.some((names) => new Set(names).size < names.length);
}

function changesIn(servers: Document['servers']): ChangeDocument[] {
  const integrations = servers.flatMap((server) => server.integrations);
  return integrations.flatMap(({ changes }) => changes);
}

/**
 * Why a document of ours, named in words, is not read; undefined if it can be.
 */
export function formProblem(
  document: unknown,
  validate: Validator,
  {
    version,
    written,
    shape,
  }: Readonly<Record<'version' | 'written' | 'shape', string>>,
): string | undefined {
  const stated = textOf(recordOf(document)['formatVersion']) ?? '';
  if (!/^\d{1,6}\.\d{1,6}$/.test(stated)) return `it is not ${written}`;
  // A field unknown to this version could mean anything.
  if (stated !== version)
    return `it has format ${stated}, and this setpoint reads ${version}`;
  if (validate(document)) return undefined;
  const places = (validate.errors ?? []).map((each) => each.instancePath);
  const [deepest] = places.sort((a, b) => b.length - a.length);
  return `it does not have the shape of ${shape} at ${deepest || 'its top level'}`;
}
