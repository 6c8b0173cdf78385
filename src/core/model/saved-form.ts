import { recordOf, textOf } from './json.ts';

/**
 * Why a document of ours is not read; undefined where it can be. Within a major version only fields are added; a field unknown
 * to this version could mean anything.
 */
export function versionProblem(document: unknown, own: string, what: string): string | undefined {
  const written = textOf(recordOf(document)['formatVersion']) ?? '';
  const [form, major, minor] = /^(\d{1,6})\.(\d{1,6})$/.exec(written) ?? [];
  if (form === undefined) return `it is not ${what}`;
  const [ownMajor, ownMinor = 0] = own.split('.').map(Number);
  const isKnown = Number(major) === ownMajor && Number(minor) <= ownMinor;
  return isKnown ? undefined : `it has format ${form}, and this setpoint reads ${own}`;
}

/** Where a document does not fit its schema, in words: at the deepest place. */
export function shapeProblem(errors: readonly { readonly instancePath: string }[], what: string): string {
  const [deepest] = errors.map((each) => each.instancePath).sort((a, b) => b.length - a.length);
  return `it does not have the shape of ${what} at ${deepest || 'its top level'}`;
}
