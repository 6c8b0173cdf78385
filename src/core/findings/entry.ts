/** How severe a finding is. */
export type Severity = 'error' | 'warning' | 'note';

/** What kind of trouble a finding is. Each leads to an exit code, except `report`. */
export type ExitClass = 'failure' | 'configuration' | 'permission' | 'apply' | 'guard' | 'report';

const KINDS = {
  error: { severity: 'error', exit: 'configuration' }, // Wrong configuration or usage
  warning: { severity: 'warning', exit: 'configuration' }, // Likely wrong; the run goes on
  reportWarning: { severity: 'warning', exit: 'report' }, // A warning about one report, which `--strict` does not count
  note: { severity: 'note', exit: 'configuration' }, // Worth knowing, with --verbose
  failure: { severity: 'error', exit: 'failure' }, // The server, the network or setpoint itself failed
  denied: { severity: 'error', exit: 'permission' }, // The account cannot log in, or lacks a permission
  guard: { severity: 'error', exit: 'guard' }, // Refused before anything was written
  refusal: { severity: 'warning', exit: 'guard' }, // A plan's warning that apply will refuse
  unapplied: { severity: 'error', exit: 'apply' }, // Part of an apply did not succeed
} as const satisfies Readonly<Record<string, { severity: Severity; exit: ExitClass }>>;

type Kind = keyof typeof KINDS;

/** A part of an entry: the same each time, or made from the facts of a finding. */
export type Made<Facts, Part = string> = Part | ((facts: Facts) => Part);

/** Everything about a code. Its facts are those that its sentences take. */
export interface Entry<Facts> {
  readonly kind: Made<Facts, Kind>;
  readonly title: string;
  readonly message: Made<Facts>;
  /** What to do about it. */
  readonly hint?: Made<Facts, string | undefined>;
  /** What it means and why setpoint minds, whatever the facts. */
  readonly why?: string;
}

/** A mistake in words of its own. Every `hint` of the facts replaces that of the entry. */
export interface Problem {
  problem: string;
  hint?: string;
}

/** The facts of a finding about one field of an option or integration, by its address. */
export interface Field {
  readonly address: string;
}

type Sentences<Facts> = Pick<Entry<Facts>, 'message' | 'hint' | 'why'>;

/** Makes an entry whose kind depends on the facts. */
export function varying<Facts extends object>(
  title: string,
  kind: (facts: Facts) => Kind,
  sentences: Sentences<Facts>,
): Entry<Facts> {
  return { kind, title, ...sentences };
}

export const error = entryMaker('error');
export const warning = entryMaker('warning');
export const failure = entryMaker('failure');
export const denied = entryMaker('denied');
export const guard = entryMaker('guard');
export const unapplied = entryMaker('unapplied');

/** The severity and the exit class of a kind. */
export function weightOf(kind: Kind): { readonly severity: Severity; readonly exit: ExitClass } {
  return KINDS[kind];
}

function entryMaker(kind: Kind) {
  return <Facts extends object = Record<never, never>>(
    title: string,
    sentences: Sentences<Facts>,
  ): Entry<Facts> => ({ kind, title, ...sentences });
}
