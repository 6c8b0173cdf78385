/** Reads a regular file of at most some bytes, or tells why it does not; the code is that of the system, such as ENOENT. */
export type ReadFile = (
  path: string,
  most: number,
) => Promise<{ readonly bytes: Buffer } | { readonly reason: string; readonly code?: string }>;
