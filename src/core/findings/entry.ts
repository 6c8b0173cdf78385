/** How severe a finding can be, the worst first. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The severity and the exit code of a kind of finding. */
interface Weight {
  severity: Severity;
  /** That of a warning counts with `--strict`. */
  exit: number;
}

/** The kinds of findings. */
export const KINDS = {
  error: { severity: 'error', exit: 3 }, // Wrong configuration or usage
  warning: { severity: 'warning', exit: 3 }, // Likely wrong; the run goes on
  reportWarning: { severity: 'warning', exit: 0 }, // Not counted by --strict
  note: { severity: 'note', exit: 3 }, // Worth knowing, with --verbose
  failure: { severity: 'error', exit: 1 }, // The server or setpoint failed
  denied: { severity: 'error', exit: 4 }, // No login, or no permission
  unapplied: { severity: 'error', exit: 5 }, // Part of an apply failed
  guard: { severity: 'error', exit: 6 }, // Refused before anything was written
  interrupted: { severity: 'error', exit: 130 }, // Ctrl-C
  terminated: { severity: 'error', exit: 143 }, // Another signal
} as const satisfies Readonly<Record<string, Weight>>;

export type Kind = keyof typeof KINDS;

/** A part of an entry: always the same, or made from the facts of a finding. */
export type Part<Facts, Result> = Result | ((facts: Facts) => Result);

/** The sentences of a code. */
interface Sentences<Facts> {
  /** The title says it all if absent. */
  message?: Part<Facts, string> | undefined;
  /** The remedy, if the facts have none. */
  hint?: Part<Facts, string | undefined> | undefined;
  /** Its meaning, and why setpoint minds, whatever the facts. */
  why?: string | undefined;
}

/** Everything about a code. */
export interface Entry<Facts> extends Sentences<Facts> {
  kind: Part<Facts, Kind>;
  title: string;
}

/** Makes an entry; its facts are those that its sentences take. */
export function finding<Facts extends object = Record<never, never>>(
  kind: Part<Facts, Kind>,
  title: string,
  sentences: Sentences<Facts>,
): Entry<Facts> {
  return { kind, title, ...sentences };
}
