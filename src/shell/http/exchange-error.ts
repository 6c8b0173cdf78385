import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { ServerError } from '../../core/live/errors.ts';

/**
 * How far a failed exchange came: `not-sent` never left, `no-answer` may or may not have acted, `refused` has an error as
 * its answer, `bad-answer` has one that cannot be used.
 */
type ExchangePhase = 'not-sent' | 'no-answer' | 'refused' | 'bad-answer';

/** A request that failed, with the finding that says why. */
export class ExchangeError extends Error {
  readonly phase: ExchangePhase;
  readonly diagnostic: Diagnostic;
  /** The status of the answer, if one came. */
  readonly status: number | undefined;
  /** What the server said about it, entry by entry. */
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

/** The error of an answer that cannot be used; `request` is the name of its request. */
export function badAnswer(request: string, problem: string, status?: number): ExchangeError {
  return new ExchangeError('bad-answer', diagnostic('bad-answer', { request, problem }), status);
}

/** Takes the error of an exchange as a result. Throws anything else on. */
export function exchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  throw thrown;
}

/** The finding of an ExchangeError. Throws anything else on. */
export function findingOf(thrown: unknown): Diagnostic {
  return exchangeError(thrown).diagnostic;
}
