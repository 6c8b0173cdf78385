import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import type { ServerError } from '../../core/live/error-document.ts';

/**
 * How far a failed exchange came: `not-sent` never left, `no-answer` may or may not have acted, `refused` was answered
 * with an error, `bad-answer` was answered in a way that cannot be used.
 */
export type ExchangePhase = 'not-sent' | 'no-answer' | 'refused' | 'bad-answer';

/** A request that did not end well, with the finding that says why. */
export class ExchangeError extends Error {
  readonly phase: ExchangePhase;
  readonly diagnostic: Diagnostic;
  /** The status of the answer, where one came. */
  readonly status: number | undefined;
  /** What the server said of it, entry by entry. */
  readonly errors: readonly ServerError[];

  constructor(phase: ExchangePhase, found: Diagnostic, status?: number, errors: readonly ServerError[] = []) {
    super(found.code);
    this.name = 'ExchangeError';
    this.phase = phase;
    this.diagnostic = found;
    this.status = status;
    this.errors = errors;
  }
}

/** The finding of an ExchangeError. Throws anything else on. */
export function findingOf(thrown: unknown): Diagnostic {
  if (thrown instanceof ExchangeError) return thrown.diagnostic;
  throw thrown;
}
