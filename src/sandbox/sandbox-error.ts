/** Why the sandbox could not start. */
type SandboxErrorCode =
  | 'catalog-missing'
  | 'catalog-empty'
  | 'catalog-too-large'
  | 'integration-ids'
  | 'address-in-use'
  | 'address-refused'
  | 'data-file-damaged'
  | 'data-file-in-use'
  | 'data-file-refused';

/** A reason not to start that a user can fix. Its message is a sentence for people, without the full stop. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code of a system error, such as ENOENT; empty for any other error. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
