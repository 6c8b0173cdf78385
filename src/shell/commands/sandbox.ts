import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import { present } from '../../core/model/present.ts';
import { openapi } from '../../generated/openapi.ts';
import { SandboxError } from '../../sandbox/sandbox-error.ts';
import { type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { DEFAULT_SETTINGS, OPEN_POINTS, type SandboxSettings } from '../../sandbox/settings.ts';
import { failUsage, failWord, systemReason } from '../failure.ts';
import { runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readRegularFile } from '../sources/regular-file.ts';

interface SandboxCommandOptions {
  readonly catalog?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly dialect?: string | undefined;
  readonly passwords?: string | undefined;
  readonly store?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly tokenLifetime?: number | undefined;
  readonly stopped?: readonly string[] | undefined;
  readonly raiseErrors?: readonly string[] | undefined;
  readonly require?: readonly string[] | undefined;
  /** The file that keeps the state; without it, the state ends with the process. */
  readonly data?: string | undefined;
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
      const warn = (found: Diagnostic) => writer.findings([found], sources);
      const running = await start(options, runtime, { log: (line) => writer.log(line), warn });
      const { host = '' } = options;
      if (!isLoopback(new URL(running.url)))
        writer.log(`Everyone who reaches ${host} can log in: the passwords are known.`);
      writer.print(
        `setpoint sandbox listens on ${running.url} (users admin, manager, user). Ctrl-C ends it.`,
      );
      await ended;
      await running.close();
      return { diagnostics: [], report: { kind: 'none' } };
    },
  );
}

/** Where a running sandbox tells what happens. */
interface Outlet {
  readonly log: (line: string) => void;
  readonly warn: (found: Diagnostic) => void;
}

async function start(options: SandboxCommandOptions, runtime: Runtime, outlet: Outlet) {
  try {
    return await startSandbox(sandboxOptions(options, runtime, outlet));
  } catch (thrown) {
    if (thrown instanceof SandboxError) failUsage(`The sandbox cannot start: ${thrown.message}.`);
    throw thrown;
  }
}

function sandboxOptions(
  options: SandboxCommandOptions,
  runtime: Runtime,
  { log, warn }: Outlet,
): SandboxOptions {
  const folder = options.catalog ?? shippedCatalog();
  const { tokenLifetime, stopped, raiseErrors, require, data } = options;
  const dataFile = data === undefined ? undefined : resolve(runtime.cwd, data);
  return {
    catalog: resolve(runtime.cwd, folder),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 4010,
    read: (path, most) => readRegularFile({ reportFiles: new Map() }, path, { most }),
    settings: settingsOf(options),
    openapi,
    now: runtime.now,
    onUnhosted: ({ file, line, column, problem, leftOut }) =>
      warn(diagnostic('not-hosted', { problem, leftOut }, { file: join(folder, file), line, column })),
    onFault: (error) => log(faultText(error)),
    onExchange: ({ method, path, status, durationMs }) =>
      log(`${method} ${path.replace(/\?.*$/s, '')} ${status} ${durationMs.toFixed(1)} ms`),
    ...present({ tokenLifetime, stopped, raiseErrors, require, dataFile }),
  };
}

/** The line for a request that could not be answered. */
function faultText(error: unknown): string {
  if (error instanceof Error && error.name === 'UnwritableError') {
    return `A change could not be kept: ${systemReason(error)}. Restart the sandbox when there is room.`;
  }
  return 'The sandbox failed to answer this request; this is a defect of setpoint.';
}

/** The defaults with the answers of flags; refuses an answer that a setting does not take. */
function settingsOf({ dialect, passwords, store, set }: SandboxCommandOptions): SandboxSettings {
  const pairs = [...Object.entries(present({ dialect, passwords, store })), ...(set ?? []).map(parseSetting)];
  return {
    ...DEFAULT_SETTINGS,
    ...Object.fromEntries(pairs.map(([name, answer]) => [name, settingOf(name, answer)])),
  };
}

function parseSetting(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
}

/** Settings with a flag of their own. */
const FLAGS: ReadonlySet<string> = new Set(['dialect', 'passwords', 'store']);

/** Settings without a list of answers: a number, a word, or words separated by commas. */
const FREE_SETTINGS: Readonly<
  Record<string, (answer: string) => number | string | readonly string[] | undefined>
> = {
  maxPageSize: (answer) => (/^[1-9]\d{0,4}$/.test(answer) ? Number(answer) : undefined),
  refuseEvery: (answer) => (/^\d{1,5}$/.test(answer) ? Number(answer) : undefined),
  stoppedStatus: (answer) => (answer === '' || answer === 'running' ? undefined : answer),
  updatable: (answer) => answer.split(',').filter((word) => word !== ''),
  managerScope: (answer) => answer.split(',').filter((glob) => glob !== ''),
};

/** The value of a setting; refuses an answer that it does not take. */
function settingOf(name: string, answer: string): number | string | readonly string[] {
  const points: Readonly<Record<string, readonly string[]>> = OPEN_POINTS;
  if (Object.hasOwn(points, name)) {
    const answers = points[name] ?? [];
    if (answers.includes(answer)) return answer;
    const setting = `${FLAGS.has(name) ? '--' : ''}${name}`;
    return failWord(`${setting} does not take the answer`, answer, answers, 'Answers');
  }
  if (!Object.hasOwn(FREE_SETTINGS, name)) {
    const known = [...Object.keys(points), ...Object.keys(FREE_SETTINGS)];
    return failWord('Unknown setting', name, known, 'Settings');
  }
  return (
    FREE_SETTINGS[name]?.(answer) ??
    failUsage(
      `${name} does not take this value.`,
      'maxPageSize and refuseEvery take a number, managerScope globs separated by commas.',
    )
  );
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
