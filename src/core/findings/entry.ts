/** How severe a finding is. */
export type Severity = 'error' | 'warning' | 'note';

/** The row of the exit-code table that an error of this code leads to. */
export type ExitClass = 'failure' | 'configuration' | 'permission' | 'apply' | 'guard' | 'interrupted';

/** What is said of a code: sentences over its facts. */
export interface Entry<Facts> {
  readonly severity: Severity;
  readonly exit: ExitClass;
  readonly message: (facts: Facts) => string;
  readonly hint?: (facts: Facts) => string | undefined;
}

/** One entry a code. */
export type Entries<Facts> = { readonly [Code in keyof Facts]: Entry<Facts[Code]> };

export const error = { severity: 'error', exit: 'configuration' } as const;
export const warning = { severity: 'warning', exit: 'configuration' } as const;
export const note = { severity: 'note', exit: 'configuration' } as const;
export const failure = { severity: 'error', exit: 'failure' } as const;
export const denied = { severity: 'error', exit: 'permission' } as const;
export const guard = { severity: 'error', exit: 'guard' } as const;
export const unapplied = { severity: 'error', exit: 'apply' } as const;
