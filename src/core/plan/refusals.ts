import { compareText, type Diagnostic, diagnostic, onServer } from '../findings/diagnostic.ts';
import { refusedRisks, refusedSize, type Sized } from './guard.ts';
import type { ServerPlan } from './plan.ts';

/** What of that which is refused by default a person has agreed to. */
export interface Consent {
  /** The names of risks. */
  readonly accept?: readonly string[] | undefined;
  /** The exact number of integrations that may change, if they are many. */
  readonly allowChanges?: number | undefined;
}

/** The codes of what is refused, before an apply is tried and when it is. */
const CODES = {
  plan: { risk: 'risk-to-accept', size: 'many-changes' },
  apply: { risk: 'risk-refused', size: 'many-changes-refused' },
} as const;

/** What an apply of these plans refuses, by the policy that each holds; `size` is what the guard judges. */
export function refusals(
  planned: readonly { readonly plan: ServerPlan; readonly size: Sized }[],
  { accept = [], allowChanges }: Consent,
  command: keyof typeof CODES = 'apply',
): Diagnostic[] {
  const codes = CODES[command];
  const ordered = [...planned].sort((a, b) => compareText(a.plan.name, b.plan.name));
  const risks = ordered.flatMap(({ plan }) => {
    const found = refusedRisks(plan, plan.policy ?? {}, accept);
    return named(
      planned,
      plan.name,
      found.map((facts) => diagnostic(codes.risk, facts)),
    );
  });
  const sizes = ordered.map(({ size }) => size);
  const size = refusedSize(sizes, allowChanges);
  return [...risks, ...(size === undefined ? [] : [diagnostic(codes.size, size)])];
}

/** Findings with the name of their server if a run has several. */
export function named(
  planned: readonly unknown[],
  name: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  return planned.length > 1 ? found.map((each) => onServer(each, name)) : found;
}
