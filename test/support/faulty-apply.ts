import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../src/sandbox/exchange.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { DEFAULT_SETTINGS, type SandboxSettings } from '../../src/sandbox/settings.ts';
import { type FaultProxy, type Seen, startFaultProxy } from './fault-proxy.ts';
import type { Fault } from './faults.ts';
import { read } from './read.ts';
import { ADMIN, type RunResult, type RunWish, run } from './run.ts';
import { EXAMPLE_CATALOG, exchange, logIn } from './sandbox.ts';
import { TICKETS } from './sandbox-requests.ts';

/** A sandbox behind a faulty proxy, and a folder with a configuration for it. */
export interface FaultyServer {
  readonly proxy: FaultProxy;
  /** What the service itself has seen since it was ready, in order. */
  readonly exchanges: readonly Exchange[];
  /** Seconds after which a request without an answer will get none: many times what requests took just now. */
  readonly patience: number;
  /** Runs `apply --yes` with a JSON report through the proxy. */
  apply(flags?: readonly string[], wish?: RunWish): Promise<RunResult>;
}

/** A secret that must never be seen in an output. */
export const CANARY = 'canary-8d1f40';

/** Seconds in which an idle machine answers any request. */
const LEAST_PATIENCE = 1;

/** Starts all that an apply under faults needs, and takes it away again; where users are subscribed to Ticket Desk. */
export async function withFaultyServer<T>(
  yaml: string,
  settings: Partial<SandboxSettings>,
  fault: (seen: Seen) => Fault | undefined,
  body: (server: FaultyServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-faults-'));
  const exchanges: Exchange[] = [];
  const sandbox = await startSandbox({
    read,
    catalog: EXAMPLE_CATALOG,
    host: '127.0.0.1',
    port: 0,
    now: Date.now,
    onExchange: (each) => exchanges.push(each),
    settings: { ...DEFAULT_SETTINGS, maxPageSize: 3, ...settings },
  });
  const proxy = await startFaultProxy(sandbox.url, fault);
  const command = ['apply', '--yes', '-f', 'a.yaml', '--report', 'json', ...secretsFlag(settings)];
  try {
    await writeFile(join(folder, 'a.yaml'), yaml);
    const start = performance.now();
    await subscribe(sandbox.url, TICKETS);
    const pause = (performance.now() - start) / 1000;
    exchanges.length = 0;
    return await body({
      proxy,
      exchanges,
      patience: Math.max(LEAST_PATIENCE, 10 * pause),
      apply: (flags = [], wish = {}) =>
        run([...command, '--url', proxy.url, ...flags], {
          cwd: folder,
          env: { ...ADMIN, SETPOINT_CANARY: CANARY },
          ...wish,
        }),
    });
  } finally {
    await proxy.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A secret that cannot be read is written only where that is asked for. */
function secretsFlag({ passwords = 'clear' }: Partial<SandboxSettings>): string[] {
  return passwords === 'clear' ? [] : ['--write-secrets', 'all'];
}

async function subscribe(url: string, id: string): Promise<void> {
  const body = { data: { id, attributes: { autosubscribe: true } } };
  const token = await logIn(url, 'admin');
  await exchange(url, 'PATCH', `/api/integrations/${id}`, { token, body });
}
