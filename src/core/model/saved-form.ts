/**
 * Why a document of ours is not read; undefined where it can be. Within a major version only fields are added; a field unknown
 * to this version could mean anything.
 */
export function versionProblem(document: unknown, own: string, what: string): string | undefined {
  const written =
    typeof document === 'object' && document !== null && 'formatVersion' in document
      ? document.formatVersion
      : undefined;
  const numbers = /^(\d{1,6})\.(\d{1,6})$/.exec(typeof written === 'string' ? written : '');
  if (numbers === null) return `it is not ${what}`;
  const [major, minor] = own.split('.').map(Number);
  const isKnown = Number(numbers[1]) === major && Number(numbers[2]) <= (minor ?? 0);
  return isKnown ? undefined : `it has format ${numbers[0]}, and this setpoint reads ${own}`;
}

/** Where a document does not fit its schema. */
interface Misfit {
  readonly instancePath: string;
}

/** The deepest place where a document does not fit its schema. */
function deepest<T extends Misfit>(errors: readonly T[]): T | undefined {
  return [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length)[0];
}

/** Where a document does not fit its schema, in words: at the deepest place. */
export function shapeProblem(errors: readonly Misfit[], what: string): string {
  const where = deepest(errors)?.instancePath || 'its top level';
  return `it does not have the shape of ${what} at ${where}`;
}
