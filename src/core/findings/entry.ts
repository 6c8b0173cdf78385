/** How severe a finding can be, the worst first. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;

/** The severity of each kind of trouble, and its exit code; that of a warning counts with `--strict`. */
export const KINDS = {
  error: { severity: 'error', exit: 3 }, // Wrong configuration or usage
  warning: { severity: 'warning', exit: 3 }, // Likely wrong; the run goes on
  reportWarning: { severity: 'warning', exit: 0 }, // A warning about one report, which `--strict` does not count
  note: { severity: 'note', exit: 3 }, // Worth knowing, with --verbose
  failure: { severity: 'error', exit: 1 }, // The server, the network or setpoint itself failed
  denied: { severity: 'error', exit: 4 }, // The account cannot log in, or lacks a permission
  unapplied: { severity: 'error', exit: 5 }, // Part of an apply did not succeed
  guard: { severity: 'error', exit: 6 }, // Refused before anything was written
  refusal: { severity: 'warning', exit: 6 }, // A plan's warning that apply will refuse
  interrupted: { severity: 'error', exit: 130 }, // Ctrl-C
  terminated: { severity: 'error', exit: 143 }, // Another signal
} as const satisfies Readonly<
  Record<string, { severity: (typeof SEVERITIES)[number]; exit: number }>
>;

type Kind = keyof typeof KINDS;

/** A part of an entry: the same each time, or made from the facts of a finding. */
type Made<Facts, Part = string> = Part | ((facts: Facts) => Part);

/** Everything about a code. */
export interface Entry<Facts> {
  readonly kind: Made<Facts, Kind>;
  readonly title: string;
  /** The title says it all if absent. */
  readonly message?: Made<Facts>;
  /** What to do about it, if the facts do not say so. */
  readonly hint?: Made<Facts, string | undefined>;
  /** What it means and why setpoint minds, whatever the facts. */
  readonly why?: string;
}

/** Makes an entry; its facts are those that its sentences take. */
export function finding<Facts extends object = Record<never, never>>(
  kind: Made<Facts, Kind>,
  title: string,
  parts: Omit<Entry<Facts>, 'kind' | 'title'>,
): Entry<Facts> {
  return { kind, title, ...parts };
}
