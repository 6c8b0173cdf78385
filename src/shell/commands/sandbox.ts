import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments } from '../../core/findings/explain.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import { present } from '../../core/model/present.ts';
import { SandboxError } from '../../sandbox/sandbox-error.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import type { Settings } from '../../sandbox/settings.ts';
import { failUsage, systemReason } from '../failure.ts';
import { runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readRegularFile } from '../sources/regular-file.ts';

interface SandboxCommandOptions extends Partial<Settings> {
  readonly catalog?: string | undefined;
  readonly data?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly latency?: number | undefined;
  readonly stopped?: readonly string[] | undefined;
  readonly raiseErrors?: true | undefined;
}

/** Serves the sandbox until a signal comes. Prints its address when it listens, and each request as a line on stderr. */
export function sandbox(options: SandboxCommandOptions, runtime: Runtime): Promise<number> {
  const ended = new Promise<void>((done) => {
    const unlisten = runtime.onSignal(() => {
      unlisten();
      done();
    });
  });
  return runCommand(
    { deadline: Number.POSITIVE_INFINITY },
    { ...runtime, onSignal: () => () => {} },
    async ({ writer, sources }) => {
      const { catalog = shippedCatalog() } = options;
      const log = (line: string) => writer.log(line);
      const running = await start({
        ...sandboxOptions(options, catalog, runtime, log),
        onUnhosted: ({ file, problem }) => {
          const place = { file: join(catalog, file), line: 1, column: 1 };
          writer.findings(diagnosticDocuments([diagnostic('not-hosted', { problem }, place)]), sources);
        },
      });
      if (!isLoopback(new URL(running.url)))
        log('Everyone on the network can log in: leave out --host to listen on this machine alone.');
      writer.print(
        `setpoint sandbox listens on ${running.url} (users admin, manager, user). Ctrl-C ends it.`,
      );
      await ended;
      await running.close();
      return { diagnostics: [], report: { kind: 'none' } };
    },
  );
}

async function start(options: SandboxOptions): Promise<RunningSandbox> {
  try {
    return await startSandbox(options);
  } catch (thrown) {
    if (thrown instanceof SandboxError) failUsage(`The sandbox cannot start: ${thrown.message}.`);
    throw thrown;
  }
}

function sandboxOptions(
  options: SandboxCommandOptions,
  catalog: string,
  { cwd, now }: Runtime,
  log: (line: string) => void,
): SandboxOptions {
  const { data, dialect = 'included', passwords = 'clear', latency, stopped, raiseErrors } = options;
  return {
    catalog: resolve(cwd, catalog),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 4010,
    read: (path, most) => readRegularFile({ reportFiles: new Map() }, path, { most }),
    settings: { dialect, passwords },
    now,
    onFault: (error) => log(`The sandbox failed to answer: ${systemReason(error)}.`),
    onExchange: ({ method, path, status, durationMs }) =>
      log(`${method} ${path.replace(/\?.*$/s, '')} ${status} ${durationMs.toFixed(1)} ms`),
    ...present({ latency, stopped, raiseErrors, dataFile: data === undefined ? data : resolve(cwd, data) }),
  };
}

/** The catalog of examples that comes with setpoint. */
function shippedCatalog(): string {
  const search = (folder: string): string => {
    const catalog = join(folder, 'examples', 'catalog');
    if (existsSync(catalog)) return catalog;
    const above = dirname(folder);
    return above === folder ? failUsage('Pass a folder with --catalog.') : search(above);
  };
  return search(dirname(fileURLToPath(import.meta.url)));
}
