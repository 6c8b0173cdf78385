import { STATUS_CODES } from 'node:http';

/** One problem with a request, and where it is: in the body, in the query, or in a header. */
interface Problem {
  readonly detail: string;
  readonly source?:
    | { readonly pointer: string }
    | { readonly parameter: string }
    | { readonly header: string };
}

/** The error that becomes an error document: a status and all problems with the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly document: { readonly errors: readonly object[] };

  constructor(
    status: number,
    problems: string | readonly Problem[],
    source?: Problem['source'],
  ) {
    super('The request is refused.');
    const title = STATUS_CODES[status] ?? 'Refused';
    const all =
      typeof problems === 'string'
        ? [{ detail: problems, ...(source && { source }) }]
        : problems;
    this.status = status;
    this.document = {
      errors: all.map((problem) => ({
        status: String(status),
        title,
        ...problem,
      })),
    };
  }
}

/** A reason not to start that a user can fix, as a sentence without the full stop. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  /** Adds the code of a system error, such as ENOENT. */
  constructor(message: string, cause?: unknown) {
    super(
      cause instanceof Error && 'code' in cause
        ? `${message} (${cause.code})`
        : message,
      { cause },
    );
  }
}
