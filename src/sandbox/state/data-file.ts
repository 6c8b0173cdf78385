import { createHash } from 'node:crypto';
import { realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isRecord } from '../../core/model/json.ts';
import type { ReadFile } from '../read-file.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import { type IntegrationChange, merged } from './integration-state.ts';
import { lockFile } from './lock.ts';
import { UnwritableError } from './store.ts';

/** For each integration, everything that was ever changed since its catalog entry was installed. */
type Changes = ReadonlyMap<string, IntegrationChange>;

/**
 * Opens a data file, or creates it. Locks it, checks it and writes it once. Throws a SandboxError, and leaves the file as
 * it is, where another sandbox uses it, where it holds anything else, and where it cannot be written.
 */
export async function openDataFile(path: string, read: ReadFile): Promise<DataFile> {
  const file = await resolved(path).catch(refuse(path));
  const release = await lockFile(file);
  try {
    const changes = await readSnapshot(file, read);
    await writeSnapshot(file, changes).catch(refuse(path));
    return new DataFile(file, changes, release);
  } catch (error) {
    await release();
    throw error;
  }
}

/** A file with one snapshot of all changes, replaced as a whole. Changes that arrive during a write share the next one. */
export class DataFile {
  readonly #file: string;
  readonly #release: () => Promise<void>;
  readonly #changes: Map<string, IntegrationChange>;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Takes over a file that holds these changes, and the release of its lock. */
  constructor(file: string, changes: Changes, release: () => Promise<void>) {
    this.#file = file;
    this.#release = release;
    this.#changes = new Map(changes);
  }

  get changes(): Changes {
    return this.#changes;
  }

  /** Resolves once the change is on disk. After a write that failed, every later change fails with the same UnwritableError. */
  append(change: IntegrationChange): Promise<void> {
    this.#changes.set(change.id, merged(this.#changes.get(change.id), change));
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  /** Waits for the last write and releases the lock. */
  async close(): Promise<void> {
    await (this.#next ?? this.#writing).catch(() => {});
    await this.#release();
  }

  async #write(): Promise<void> {
    if (this.#next !== undefined) this.#writing = this.#next;
    this.#next = undefined;
    await writeSnapshot(this.#file, this.#changes).catch((error: unknown) => {
      throw new UnwritableError(error);
    });
  }
}

/** The target of a link, so that every path to a file takes the same lock. */
async function resolved(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

/** The most bytes of a data file. */
const LARGEST = 256 * 1024 * 1024;

const FORMAT = 'setpoint-sandbox';
const VERSION = 2;

/** The library takes a write that a full disk cut short for a whole one, so `writeFile` writes; the library syncs and renames. */
async function writeSnapshot(file: string, changes: Changes): Promise<void> {
  const list = [...changes.values()];
  const text = JSON.stringify({
    format: FORMAT,
    version: VERSION,
    checksum: checksumOf(list),
    changes: list,
  });
  await writeFileAtomic(file, '', {
    mode: 0o600,
    tmpfileCreated: (temporary) => writeFile(temporary, `${text}\n`),
  });
}

async function readSnapshot(file: string, read: ReadFile): Promise<Changes> {
  const content = await read(file, LARGEST);
  if ('reason' in content) return content.code === 'ENOENT' ? new Map() : refused(file, content.reason);
  const changes = decodeSnapshot(content.bytes.toString());
  if (changes !== undefined) return new Map(changes.map((change) => [change.id, change]));
  throw new SandboxError(
    'data-file-damaged',
    `${file} is not a data file of this version of the sandbox, or is damaged. Restore it, or move it away to start afresh`,
  );
}

/** The cast relies on the checksum: only the sandbox writes a list that matches it. */
function decodeSnapshot(text: string): readonly IntegrationChange[] | undefined {
  const raw = parsed(text);
  if (!isRecord(raw) || raw['format'] !== FORMAT || raw['version'] !== VERSION) return undefined;
  const { checksum, changes } = raw;
  return checksum === checksumOf(changes) ? (changes as readonly IntegrationChange[]) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checksumOf(changes: unknown): string {
  return createHash('sha256')
    .update(String(JSON.stringify(changes)))
    .digest('hex');
}

function refuse(path: string): (error: unknown) => never {
  return (error) => refused(path, systemCode(error), error);
}

function refused(path: string, reason: string, cause?: unknown): never {
  throw new SandboxError('data-file-refused', `${path} cannot be used as a data file (${reason})`, { cause });
}
