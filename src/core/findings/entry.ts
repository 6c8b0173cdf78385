/** How severe a finding is. */
export type Severity = 'error' | 'warning' | 'note';

/** What kind of trouble a finding is; each leads to an exit code of its own, but for that with a report. */
export type ExitClass = 'failure' | 'configuration' | 'permission' | 'apply' | 'guard' | 'report';

/** A sentence for people: the same each time, or made from the facts of a finding. */
export type Sentence<Facts, Text = string> = string | ((facts: Facts) => Text);

/** All there is to a code; the facts of its findings are those that its sentences take. */
export interface Entry<Facts> {
  readonly severity: Severity;
  /** Whether the facts make it a note. */
  readonly isNote?: (facts: Facts) => boolean;
  readonly exit: ExitClass;
  /** The code in words, whatever the facts; without a full stop. */
  readonly title: string;
  readonly message: Sentence<Facts>;
  /** What to do about it. */
  readonly hint?: Sentence<Facts, string | undefined>;
}

/** Wrong configuration or usage. */
export const error = entryMaker('error', 'configuration');
/** Likely wrong; the run goes on. */
export const warning = entryMaker('warning', 'configuration');
/** About one report of the run, so that none of them decides what others say: `--strict` does not count it. */
export const reportWarning = entryMaker('warning', 'report');
/** Worth knowing, with --verbose. */
export const note = entryMaker('note', 'configuration');
/** The server, the network or setpoint itself failed. */
export const failure = entryMaker('error', 'failure');
/** The account cannot log in, or may not do this. */
export const denied = entryMaker('error', 'permission');
/** Refused before anything was written. */
export const guard = entryMaker('error', 'guard');
/** What an apply refuses, said before it is tried. */
export const refusal = entryMaker('warning', 'guard');
/** Part of an apply did not succeed. */
export const unapplied = entryMaker('error', 'apply');

function entryMaker(severity: Severity, exit: ExitClass) {
  return <Facts extends object = Record<never, never>>(
    title: string,
    sentences: Pick<Entry<Facts>, 'message' | 'hint' | 'isNote'>,
  ): Entry<Facts> => ({ severity, exit, title, ...sentences });
}
