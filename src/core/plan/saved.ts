import { validate } from '../../generated/plan-validator.js';
import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredValue, WrittenValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { OptionValue } from '../model/value.ts';
import { conform } from './conform.ts';
import { FORMAT_VERSION, type IntegrationPlan, type ServerPlan, type ValueChange } from './plan.ts';
import { type Fingerprint, fingerprintOfDisplays } from './withheld.ts';

/** A plan that was read from a file. Whether it is as it was written is told by its fingerprint. */
export interface SavedPlan {
  readonly fingerprint: string;
  readonly servers: readonly ServerPlan[];
}

/** Takes a parsed document for a plan, or says why it is none that can be applied. */
export function decodeSavedPlan(document: unknown): SavedPlan | { readonly problem: string } {
  const version = versionProblem(document);
  if (version !== undefined) return { problem: version };
  if (!validate(document)) return { problem: shapeProblem(validate.errors ?? []) };
  const { fingerprint, servers } = document as Partial<SavedPlan>;
  if (fingerprint === undefined || servers === undefined || servers.length === 0)
    return { problem: 'it is the report of a run that made no complete plan' };
  const isApplied = servers.some(({ integrations }) =>
    integrations.some(({ outcome }) => outcome !== undefined),
  );
  if (isApplied) return { problem: 'it is the report of an apply; apply takes the report of a plan' };
  return { fingerprint, servers };
}

/** Within a major version only fields are added; one that is not known here could mean anything. */
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

/** A sensitive change of a plan, whose value is not in it. */
export type SensitiveChange = ValueChange & { readonly sensitive: true };

/** The changes of an integration whose values have to be made again. */
export function sensitiveChanges({ changes }: IntegrationPlan): SensitiveChange[] {
  return changes.flatMap((change) =>
    change.field === 'value' && change.sensitive ? [{ ...change, sensitive: true }] : [],
  );
}

/** What keeps plans from being applied once they are saved: values that are not carried into a plan. */
export function missingInSaved(plans: readonly ServerPlan[]): Diagnostic[] {
  return plans
    .flatMap(({ integrations }) => integrations.flatMap(sensitiveChanges))
    .filter(({ recipe }) => recipe === undefined)
    .map(({ address, source }) => diagnostic('plan-not-applicable', { address }, source));
}

/** What the values of an integration that were made again come to. */
export interface Remade {
  /** The values in the form that the options store, by address; only those that are as they were planned. */
  readonly withheld: ReadonlyMap<string, OptionValue>;
  /** The changes whose value is no longer the one that was planned. */
  readonly changed: readonly SensitiveChange[];
  /** What is to be said of the changes whose option is not there any more. */
  readonly gone: readonly Moved[];
}

/**
 * Brings the values that were made again into the form that the live options store, and holds each against the
 * fingerprint of the plan.
 */
export function remake(
  planned: IntegrationPlan,
  written: ReadonlyMap<string, WrittenValue>,
  live: LiveIntegration | undefined,
  fingerprint: Fingerprint,
): Remade {
  const withheld = new Map<string, OptionValue>();
  const changed: SensitiveChange[] = [];
  const gone: Moved[] = [];
  for (const change of sensitiveChanges(planned)) {
    const option = live?.options.get(change.option);
    const value = option === undefined ? undefined : inFormOf(option, change, written.get(change.address));
    const moved = (now: string) => gone.push({ address: change.address, before: 'a secret', now });
    if (option === undefined) moved('gone with its option');
    else if (value === undefined) moved('an option that takes no such value');
    else if (!isAsPlanned(change, value, written.get(change.address), fingerprint)) changed.push(change);
    else withheld.set(change.address, value);
  }
  return { withheld, changed, gone };
}

/** Selects are compared by their value; a display that is written beside it is held against its own fingerprint. */
function isAsPlanned(
  { address, fingerprint: planned, displayFingerprint }: SensitiveChange,
  value: OptionValue,
  written: WrittenValue | undefined,
  fingerprint: Fingerprint,
): boolean {
  const displays = written === undefined ? undefined : fingerprintOfDisplays(address, written, fingerprint);
  return fingerprint(address, value) === planned && displays === displayFingerprint;
}

/** The value as the option stores it; undefined where it takes no such value. */
function inFormOf(
  option: LiveOption,
  { address, source }: SensitiveChange,
  value: WrittenValue | undefined,
): OptionValue | undefined {
  if (value === undefined) return undefined;
  const desired: DesiredValue = { value, place: source, sensitive: true };
  const result = conform(address, desired, option);
  return result.ok ? result.value : undefined;
}
