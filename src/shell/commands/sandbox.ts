import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import { SandboxError } from '../../sandbox/refusal.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service.ts';
import { failUsage, systemReason } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { CommandBody, Run } from '../run.ts';

/** Serves the sandbox until a signal comes. Prints its address when it listens, and each request as a line on stderr. */
export const sandbox: CommandBody = async (run, options) => {
  const { writer, sources, interruption } = run;
  const { catalog = shippedCatalog() } = options;
  const onUnhosted: SandboxOptions['onUnhosted'] = ({ file, problem }) => {
    const place = { file: join(catalog, file), line: 1, column: 1 };
    writer.findings(
      diagnosticDocuments([diagnostic('not-hosted', { problem }, place)]),
      sources,
    );
  };
  const running = await startSandbox({
    ...sandboxOptions(run, options, catalog),
    onUnhosted,
  }).catch((thrown: unknown) => {
    if (thrown instanceof SandboxError)
      return failUsage(`The sandbox cannot start: ${thrown.message}.`);
    throw thrown;
  });
  if (!isLoopback(new URL(running.url)))
    writer.log(
      'Everyone on the network can log in: leave out --host to listen on this machine alone.',
    );
  const ended =
    interruption.stopping.aborted || once(interruption.stopping, 'abort');
  await writer.print(
    `setpoint sandbox listens on ${running.url} (users admin, manager, user). Ctrl-C ends it.\n`,
  );
  await ended;
  await running.close();
  return { diagnostics: [] };
};

function sandboxOptions(
  { runtime, writer }: Run,
  options: Options,
  catalog: string,
): SandboxOptions {
  const {
    data,
    dialect = 'included',
    passwords = 'clear',
    latency,
    stopped,
    raiseErrors,
  } = options;
  const { cwd, now } = runtime;
  const log = (line: string) => writer.log(line);
  return {
    catalog: resolve(cwd, catalog),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 4010,
    ...{ dialect, passwords, now },
    onFault: (error) =>
      log(`The sandbox failed to answer: ${systemReason(error)}.`),
    onExchange: ({ method, path, status, durationMs }) =>
      log(
        `${method} ${path.replace(/\?.*$/s, '')} ${status} ${durationMs.toFixed(1)} ms`,
      ),
    ...present({
      latency,
      stopped,
      raiseErrors,
      dataFile: data === undefined ? data : resolve(cwd, data),
    }),
  };
}

/** The catalog of examples that comes with setpoint: above its bundle, or above this file. */
function shippedCatalog(): string {
  const places = ['..', '../../..'].map(
    (above) => new URL(`${above}/examples/catalog`, import.meta.url),
  );
  const folders = places.map((each) => fileURLToPath(each));
  return (
    folders.find((each) => existsSync(each)) ??
    failUsage('Pass a folder with --catalog.')
  );
}
