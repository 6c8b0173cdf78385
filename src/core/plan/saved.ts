import { validate } from '../../generated/plan-validator.js';
import { isCostlyGlob } from '../model/glob.ts';
import { FORMAT_VERSION, type ServerPlan } from './plan.ts';

/**
 * The servers of a plan that was read from a file, or why it cannot be applied. It may have been edited: it is compared with
 * a new plan, and can only narrow that.
 */
export function decodeSavedPlan(
  document: unknown,
): readonly ServerPlan<null>[] | { readonly problem: string } {
  const version = versionProblem(document);
  if (version !== undefined) return { problem: version };
  if (!validate(document)) return { problem: shapeProblem(validate.errors ?? []) };
  const { fingerprint, servers } = document as {
    readonly fingerprint?: string;
    readonly servers: readonly ServerPlan<null>[];
  };
  if (fingerprint === undefined || servers.length === 0)
    return { problem: 'it is the report of a run that made no complete plan' };
  const isApplied = servers.some(({ integrations }) =>
    integrations.some(({ outcome }) => outcome !== undefined),
  );
  if (isApplied) return { problem: 'it is the report of an apply; apply takes the report of a plan' };
  if (new Set(servers.map(({ name }) => name)).size < servers.length)
    return { problem: 'it names a server twice' };
  if (servers.some(({ only }) => only !== undefined && isCostlyGlob(only)))
    return { problem: 'a glob in it has too many wildcards' };
  return servers;
}

/** Within a major version only fields are added; a field unknown to this version could mean anything. */
function versionProblem(document: unknown): string | undefined {
  const written =
    typeof document === 'object' && document !== null && 'formatVersion' in document
      ? document.formatVersion
      : undefined;
  const numbers = /^(\d{1,6})\.(\d{1,6})$/.exec(typeof written === 'string' ? written : '');
  if (numbers === null) return 'it is not a report of setpoint plan --report json';
  const [major, minor] = FORMAT_VERSION.split('.').map(Number);
  const isKnown = Number(numbers[1]) === major && Number(numbers[2]) <= (minor ?? 0);
  return isKnown ? undefined : `it has format ${numbers[0]}, and this setpoint reads ${FORMAT_VERSION}`;
}

function shapeProblem(errors: readonly { readonly instancePath: string }[]): string {
  const deepest = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length)[0];
  const where = deepest === undefined || deepest.instancePath === '' ? 'its top level' : deepest.instancePath;
  return `it does not have the shape of a plan at ${where}`;
}
