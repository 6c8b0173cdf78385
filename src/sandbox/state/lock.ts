import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SandboxError, systemCode } from '../sandbox-error.ts';

/**
 * Locks a file for this process and returns the function that releases it. The lock is a local socket named after the file,
 * which the system closes however the process ends. Throws a SandboxError where another process holds it.
 */
export async function lockFile(
  file: string,
  system: NodeJS.Platform = platform(),
): Promise<() => Promise<void>> {
  const address = lockAddress(file, system);
  const server = (await listening(address)) ?? (await takenOver(address));
  if (server === undefined)
    throw new SandboxError('data-file-in-use', `${file} is in use by another sandbox`);
  server.unref();
  return promisify(server.close.bind(server));
}

/** The address of a file's lock: a name without a file on Linux and Windows, elsewhere a socket in the temporary folder. */
export function lockAddress(file: string, system: NodeJS.Platform): string {
  const name = `setpoint-sandbox-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`;
  if (system === 'linux') return `\0${name}`;
  return system === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** A server on that address; undefined where the address is in use. */
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

/** Replaces a socket file that outlived its process: it refuses connections. */
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
