/** A reason not to start that a user can fix, as a sentence without the full stop. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The code of a system error, such as ENOENT; empty for any other error. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
