/** Reads the text of a regular file of at most some bytes, or tells why it does not; the code is that of the system, such as ENOENT. */
export type ReadFile = (
  path: string,
  most: number,
) => Promise<{ readonly text: string } | { readonly reason: string; readonly code?: string }>;

/** The JSON of a file, or why there is none. */
export async function readJson(
  read: ReadFile,
  path: string,
  most: number,
): Promise<{ readonly json: unknown } | { readonly reason: string; readonly code?: string }> {
  const content = await read(path, most);
  if ('reason' in content) return content;
  try {
    return { json: JSON.parse(content.text) };
  } catch {
    return { reason: 'it is not JSON' };
  }
}

/** A reason not to start that a user can fix, as a sentence without the full stop. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The code of a system error, such as ENOENT; empty for any other error. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
