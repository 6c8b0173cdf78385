import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, startDialect } from './dialects.ts';
import { type FaultProxy, type Seen, startFaultProxy } from './fault-proxy.ts';
import type { Fault } from './faults.ts';
import { ADMIN, type RunResult, type RunWish, run } from './run.ts';
import { type Exchange, exchange, logIn } from './sandbox.ts';
import { TICKETS } from './sandbox-requests.ts';

/** A sandbox behind a faulty proxy. */
interface Faulty {
  /** Its name in setpoint.yaml. */
  readonly name: string;
  readonly proxy: FaultProxy;
  /** What the service itself has seen since it was ready, in order. */
  readonly exchanges: readonly Exchange[];
}

interface Runner {
  /** Seconds after which a request without an answer will get none: many times what requests took just now. */
  readonly patience: number;
}

/** One such sandbox, and a folder with a configuration for it. */
export interface FaultyServer extends Faulty, Runner {
  /** Runs `apply --yes` with a JSON report through the proxy. */
  apply(flags?: readonly string[], wish?: RunWish): Promise<RunResult>;
}

/** Several, and a project with one configuration for all of them. */
export interface FaultyServers extends Runner {
  readonly servers: readonly Faulty[];
  run(args: readonly string[], wish?: RunWish): Promise<RunResult>;
}

/** A secret that must never be seen in an output. */
export const CANARY = 'canary-8d1f40';

/** Seconds in which an idle machine answers any request. */
const LEAST_PATIENCE = 1;

/** Starts all that an apply under faults needs, and takes it away again; where users are subscribed to Ticket Desk. */
export function withFaultyServer<T>(
  yaml: string,
  settings: Dialect,
  fault: (seen: Seen) => Fault | undefined,
  body: (server: FaultyServer) => Promise<T>,
): Promise<T> {
  const command = ['apply', '--yes', '-f', 'a.yaml', '--report', 'json', ...secretsFlag(settings)];
  return withFaultyServers(yaml, [settings], fault, ({ servers: [server], patience, run: start }) => {
    if (server === undefined) throw new Error('a server was asked for');
    return body({
      ...server,
      patience,
      apply: (flags = [], wish = {}) => start([...command, '--url', server.proxy.url, ...flags], wish),
    });
  });
}

/** The same for a server with each of these settings; `fault` is told which one it is asked for. */
export async function withFaultyServers<T>(
  yaml: string,
  settings: readonly Dialect[],
  fault: (seen: Seen, server: number) => Fault | undefined,
  body: (servers: FaultyServers) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-faults-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const servers = await Promise.all(
      settings.map(async (each, index): Promise<Faulty & { patience: number }> => {
        const exchanges: Exchange[] = [];
        const onExchange = (exchanged: Exchange) => exchanges.push(exchanged);
        const sandbox = await startDialect({ onExchange }, { maxPageSize: 3, ...each });
        const proxy = await startFaultProxy(sandbox.url, (seen) => fault(seen, index));
        closing.unshift(
          () => proxy.close(),
          () => sandbox.close(),
        );
        const start = performance.now();
        await subscribe(sandbox.url, TICKETS);
        const pause = (performance.now() - start) / 1000;
        exchanges.length = 0;
        return { name: `server${index}`, proxy, exchanges, patience: Math.max(LEAST_PATIENCE, 10 * pause) };
      }),
    );
    const entries = servers.map(
      ({ name, proxy }) => `  ${name}: { url: "${proxy.url}", config: [a.yaml] }\n`,
    );
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, 'setpoint.yaml'), `version: 1\nservers:\n${entries.join('')}`);
    await writeFile(join(folder, 'a.yaml'), yaml);
    return await body({
      servers,
      patience: Math.max(...servers.map(({ patience }) => patience)),
      run: (args, wish = {}) =>
        run(args, { cwd: folder, env: { ...ADMIN, SETPOINT_CANARY: CANARY }, ...wish }),
    });
  } finally {
    for (const close of closing) await close();
  }
}

/** A secret that cannot be read is written only where that is asked for. */
function secretsFlag({ passwords = 'clear' }: Dialect): string[] {
  return passwords === 'clear' ? [] : ['--write-hidden', 'all'];
}

async function subscribe(url: string, id: string): Promise<void> {
  const body = { data: { id, attributes: { autosubscribe: true } } };
  const token = await logIn(url, 'admin');
  await exchange(url, 'PATCH', `/api/integrations/${id}`, { token, body });
}
