import { validate } from '../../generated/plan-validator.js';
import { type Diagnostic, FINDINGS, isCode, saidDiagnostic } from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/glob.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { FORMAT_VERSION, type ServerPlan } from './plan.ts';

/** A plan that was read from a file. */
interface SavedPlan {
  readonly servers: readonly ServerPlan<null>[];
  /** What was found when it was made, in the words of that run. What an apply refuses is found again. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A plan from a file, or why it cannot be applied. It may have been edited: it is compared with a new plan, and can only
 * narrow that.
 */
export function decodeSavedPlan(document: unknown): SavedPlan | { readonly problem: string } {
  const version = versionProblem(document);
  if (version !== undefined) return { problem: version };
  if (!validate(document)) return { problem: shapeProblem(validate.errors ?? []) };
  const {
    fingerprint,
    servers,
    diagnostics = [],
  } = document as {
    readonly fingerprint?: string;
    readonly servers: readonly ServerPlan<null>[];
    readonly diagnostics?: readonly SavedFinding[];
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
  return { servers, diagnostics: diagnostics.flatMap(findingOf) };
}

/** A finding as a document has it. */
interface SavedFinding extends Partial<Place> {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly server?: string;
}

/** A finding of a saved plan; none where this version does not know its code. */
function findingOf({ code, message, hint, server, file, line, column }: SavedFinding): Diagnostic[] {
  if (!isCode(code) || FINDINGS[code].exit === 'guard') return [];
  const place =
    file === undefined || line === undefined || column === undefined ? {} : { place: { file, line, column } };
  return [
    saidDiagnostic(code, { said: { message, ...present({ hint }) }, ...place, ...present({ server }) }),
  ];
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
