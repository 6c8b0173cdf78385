import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLoopback } from '../../core/model/loopback.ts';
import { SandboxError } from '../../sandbox/refusal.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service.ts';
import { failUsage, systemReason } from '../failure.ts';
import type { CommandBody, Run } from '../run.ts';
import { readCatalog } from '../sources/catalog.ts';

/**
 * Serves the sandbox until a signal comes. Prints its address when it listens,
 * and each request as a line on stderr.
 */
export const sandbox: CommandBody = async (run) => {
  const { writer } = run;
  const starting = startSandbox(await sandboxOptions(run));
  const running = await starting.catch(failStart);
  if (!isLoopback(new URL(running.url))) {
    writer.log(
      'Everyone on the network can log in: leave out --host to listen on this machine alone.',
    );
  }
  const { stopping } = run.interruption;
  const stopped = stopping.aborted ? undefined : once(stopping, 'abort');
  writer.print(
    `setpoint sandbox listens on ${running.url} (users admin, manager, user). Ctrl-C ends it.\n`,
  );
  await stopped;
  await running.close();
  return { diagnostics: [] };
};

function failStart(thrown: unknown): never {
  if (!(thrown instanceof SandboxError)) throw thrown;
  return failUsage(`The sandbox cannot start: ${thrown.message}.`);
}

async function sandboxOptions(run: Run): Promise<SandboxOptions> {
  const { options, writer, runtime } = run;
  const { cwd, now } = runtime;
  const { data, latency, stopped, upgrade, raiseErrors } = options;
  return {
    catalog: await readCatalog(run, options.catalog ?? shippedCatalog()),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 4010,
    dialect: options.dialect ?? 'included',
    passwords: options.passwords ?? 'clear',
    dataFile: data === undefined ? undefined : resolve(cwd, data),
    latency,
    stopped,
    upgraded: upgrade,
    raiseErrors,
    now,
    onFault: (error) =>
      writer.log(`The sandbox failed to answer: ${systemReason(error)}.`),
    onExchange: ({ method, path, status }) =>
      writer.log(`${method} ${path.replace(/\?.*$/s, '')} ${status}`),
  };
}

/**
 * Finds the catalog of examples that comes with setpoint: above its bundle, or
 * above this file.
 */
function shippedCatalog(): string {
  for (const above of ['..', '../../..']) {
    const url = new URL(`${above}/examples/catalog`, import.meta.url);
    const folder = fileURLToPath(url);
    if (existsSync(folder)) return folder;
  }
  return failUsage('Pass a folder with --catalog.');
}
