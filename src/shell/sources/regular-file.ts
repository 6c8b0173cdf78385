import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { systemReason } from '../failure.ts';

/** The bytes of a file, or why it cannot be read; `size` if it is too large. */
type FileContent = { readonly bytes: Buffer } | { readonly reason: string; readonly size?: number };

/** The largest file that a reference or a variable may name, in bytes. */
const LARGEST_TEXT = 64 * 1024;

/** Reads a regular file of at most `most` bytes. Never opens devices and pipes: some never end, some wait for a writer. */
export async function readRegularFile(path: string, most: number): Promise<FileContent> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { reason: 'it is not a regular file' };
    if (found.size > most) return tooLarge(found.size, most);
    const bytes = await readFile(path);
    return bytes.length > most ? tooLarge(bytes.length, most) : { bytes };
  } catch (thrown) {
    return { reason: systemReason(thrown) };
  }
}

/** Reads a regular file of at most 64 KiB as UTF-8 text, without one newline at its end. */
export async function readSmallText(
  path: string,
): Promise<{ readonly text: string } | { readonly reason: string }> {
  const content = await readRegularFile(path, LARGEST_TEXT);
  if ('reason' in content) return content;
  const text = utf8(content.bytes);
  return text === undefined ? { reason: 'it is not UTF-8 text' } : { text: text.replace(/\r?\n$/, '') };
}

/** Bytes as text without a byte order mark; undefined where they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a path is below a folder; both absolute, with their links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function tooLarge(size: number, most: number): FileContent {
  return { reason: `it has more than ${most} bytes`, size };
}
