import { type Validator, validate } from '../../generated/plan-validator.js';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { recordOf, textOf } from '../model/json.ts';
import { FORMAT_VERSION } from './document.ts';
import type { Document } from './plan.ts';

type Decoded = { readonly document: Document } | { readonly problem: string };

const NO_PLAN = 'it is the report of a run that made no complete plan';

/**
 * Decodes a plan from a file, or says why it cannot be applied. It may have been edited: it is compared with a new plan, and
 * can only narrow that.
 */
export function decodeSavedPlan(raw: unknown): Decoded {
  const saved = decodeSavedReport(raw);
  if ('problem' in saved) return saved;
  const { complete, servers } = saved.document;
  if (complete !== true) return { problem: NO_PLAN };
  const changes = servers.flatMap(({ integrations }) => integrations.flatMap((each) => each.changes));
  if (changes.some(({ outcome }) => outcome !== undefined))
    return { problem: 'it is the report of an apply: show takes it, and apply takes the report of a plan' };
  const isOffline = servers.some(({ snapshot }) => snapshot !== undefined);
  return isOffline ? { problem: 'it was made from a snapshot, not from the server' } : saved;
}

/** Decodes the document of a plan or of an apply, or says why it cannot be shown. */
export function decodeSavedReport(raw: unknown): Decoded {
  const problem = formProblem(raw, validate, {
    version: FORMAT_VERSION,
    written: 'a report of setpoint plan --report json',
    shape: 'a plan',
  });
  if (problem !== undefined) return { problem };
  // It has the shape of the schema, which the type is made from.
  const document = raw as Document;
  const { servers } = document;
  if (servers.length === 0) return { problem: NO_PLAN };
  if (hasTwice(servers.map(({ name }) => name))) return { problem: 'it names a server twice' };
  if (servers.some(({ integrations }) => hasTwice(integrations.map(({ id }) => id))))
    return { problem: 'it names an integration twice' };
  const isCostly = servers.some(({ only = '' }) => isCostlyGlob(only));
  return isCostly ? { problem: 'a glob in it has too many wildcards' } : { document };
}

/** A form of document that setpoint writes and reads, in words. */
interface Form {
  readonly version: string;
  readonly written: string;
  readonly shape: string;
}

/**
 * Why a document of ours is not read; undefined if it can be. Within a major version only fields are added; a field unknown to
 * this version could mean anything.
 */
export function formProblem(
  document: unknown,
  validate: Validator,
  { version, written, shape }: Form,
): string | undefined {
  const stated = textOf(recordOf(document)['formatVersion']) ?? '';
  const [form, major, minor] = /^(\d{1,6})\.(\d{1,6})$/.exec(stated) ?? [];
  if (form === undefined) return `it is not ${written}`;
  const [ownMajor, ownMinor = 0] = version.split('.').map(Number);
  if (Number(major) !== ownMajor || Number(minor) > ownMinor)
    return `it has format ${form}, and this setpoint reads ${version}`;
  if (validate(document)) return undefined;
  const places = (validate.errors ?? []).map((each) => each.instancePath);
  const [deepest] = places.sort((a, b) => b.length - a.length);
  return `it does not have the shape of ${shape} at ${deepest || 'its top level'}`;
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}
