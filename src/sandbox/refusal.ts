import { STATUS_CODES } from 'node:http';

/** One problem with a request, and where in its body it is. */
export interface Problem {
  detail: string;
  source?: { pointer: string };
}

/** An error document: its status and all problems with the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly document: { errors: readonly object[] };

  constructor(status: number, problem: string | readonly Problem[]) {
    super('The request is refused.');
    const title = STATUS_CODES[status] ?? 'Refused';
    const problems =
      typeof problem === 'string' ? [{ detail: problem }] : problem;
    const errors = problems.map((entry) => {
      return { status: String(status), title, ...entry };
    });
    this.status = status;
    this.document = { errors };
  }
}

/** A reason not to start that a user can fix: a sentence without full stop. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  /** Adds the code of a system error, such as ENOENT. */
  constructor(message: string, cause?: unknown) {
    const isSystemError = cause instanceof Error && 'code' in cause;
    super(isSystemError ? `${message} (${cause.code})` : message, { cause });
  }
}
