/** Why the sandbox could not start. */
export type SandboxErrorCode =
  | 'catalog-missing'
  | 'catalog-empty'
  | 'configuration-invalid'
  | 'integration-ids'
  | 'address-in-use'
  | 'address-refused'
  | 'data-file-damaged'
  | 'data-file-in-use'
  | 'data-file-refused';

/** A reason not to start that a user can mend; its message is made for people, without a full stop at the end. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code of a failure of the system, such as ENOENT; empty where it is none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
