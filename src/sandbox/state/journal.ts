import { type FileHandle, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import { type IntegrationChange, merged } from './integration-state.ts';
import { changeLine, decodeLines, headerLine } from './journal-lines.ts';
import { type Lock, lockFile } from './lock.ts';
import { type ChangeLog, UnwritableError } from './store.ts';

/** A data file that is open, and what it held: one change for each integration that was ever changed. */
export interface OpenJournal {
  readonly journal: Journal;
  readonly changes: ReadonlyMap<string, IntegrationChange>;
}

/**
 * Opens a data file, or makes one. It is locked against a second process, checked, and written anew without what later
 * changes have replaced. Throws a SandboxError where it is in use, damaged or cannot be written; it is then left as it is.
 */
export async function openJournal(path: string): Promise<OpenJournal> {
  const file = await resolved(path).catch(refuse(path));
  const lock = await lockFile(file);
  try {
    const changes = folded(await readChanges(file));
    const journal = await startFile(file, changes.values(), lock).catch(refuse(path));
    return { journal, changes };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A file to which changes are appended, in the order of the calls; changes that wait together share one fsync. */
export class Journal implements ChangeLog {
  readonly #file: FileHandle;
  readonly #lock: Lock;
  #checksum: string;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;

  /** Takes over a file that stands behind the line with that checksum, and the lock on it. */
  constructor(file: FileHandle, lock: Lock, checksum: string) {
    this.#file = file;
    this.#lock = lock;
    this.#checksum = checksum;
  }

  /** Throws at once where an earlier write failed: what follows a line that may be torn could not be read back. */
  append(change: IntegrationChange): Promise<void> {
    if (this.#failure !== undefined) throw new UnwritableError(this.#failure);
    const { text, checksum } = changeLine(this.#checksum, change);
    this.#checksum = checksum;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: text, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
    await this.#lock.release();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      if (this.#failure !== undefined) throw new UnwritableError(this.#failure);
      await this.#file.appendFile(batch.map(({ line }) => line).join(''));
      await this.#file.datasync();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      this.#failure ??= error;
      for (const { reject } of batch) reject(new UnwritableError(this.#failure));
    }
  }
}

/** The file itself where the path is a link, so that it is the file that is locked and replaced, not the link. */
async function resolved(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

async function readChanges(file: string): Promise<readonly IntegrationChange[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    return refuse(file)(error);
  });
  if (text === undefined) return [];
  const decoded = decodeLines(text);
  if ('changes' in decoded) return decoded.changes;
  const problem =
    decoded.damagedLine === 1
      ? 'is not a data file of the sandbox'
      : `is damaged from line ${decoded.damagedLine} on`;
  throw new SandboxError(
    'data-file-damaged',
    `${file} ${problem}; it was left as it is. Restore it, or move it away to start afresh`,
  );
}

function folded(changes: readonly IntegrationChange[]): Map<string, IntegrationChange> {
  const byId = new Map<string, IntegrationChange>();
  for (const change of changes) {
    const before = byId.get(change.id);
    byId.set(change.id, before === undefined ? change : merged(before, change));
  }
  return byId;
}

/** Writes the file anew beside the old one, puts it in its place in one step, and keeps it open for what follows. */
async function startFile(file: string, changes: Iterable<IntegrationChange>, lock: Lock): Promise<Journal> {
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', 0o600);
  try {
    const header = headerLine();
    const lines = [header];
    for (const change of changes) lines.push(changeLine(lines.at(-1)?.checksum ?? '', change));
    await handle.appendFile(lines.map(({ text }) => text).join(''));
    await handle.sync();
    await rename(fresh, file);
    await syncFolder(dirname(file));
    return new Journal(handle, lock, lines.at(-1)?.checksum ?? header.checksum);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes the new name durable. Some systems cannot open a folder; there the rename has to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function refuse(path: string): (error: unknown) => never {
  return (error) => {
    throw new SandboxError(
      'data-file-refused',
      `${path} cannot be used as a data file (${systemCode(error)})`,
      { cause: error },
    );
  };
}
