import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxError, systemCode } from '../sandbox-error.ts';

export interface Lock {
  release(): Promise<void>;
}

/**
 * Locks a file for this process by listening on a local socket named after it. The system ends the lock with the process,
 * however that ends, so no lock is ever left behind. Throws a SandboxError where the file is locked.
 */
export async function lockFile(file: string, system: NodeJS.Platform = platform()): Promise<Lock> {
  const address = lockAddress(file, system);
  const server = (await listening(address)) ?? (await takenOver(address));
  if (server === undefined)
    throw new SandboxError('data-file-in-use', `${file} is in use by another sandbox`);
  server.unref();
  return {
    async release() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The address that stands for a file: a name without a file where the system has such, elsewhere a socket file among the temporary ones. */
export function lockAddress(file: string, system: NodeJS.Platform): string {
  const name = `setpoint-sandbox-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`;
  if (system === 'linux') return `\0${name}`;
  return system === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** A server on that address; undefined where another one is on it. */
async function listening(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen(address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Only a socket file can outlive its process; nobody answers on it then, and it is replaced. */
async function takenOver(address: string): Promise<Server | undefined> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    if (systemCode(error) !== 'ECONNREFUSED') return undefined;
    await rm(address, { force: true });
    return await listening(address);
  } finally {
    socket.destroy();
  }
}
