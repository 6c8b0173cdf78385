import type { Dialect } from './dialects.ts';
import { faultyProxy, type Seen } from './fault-proxy.ts';
import type { Fault } from './faults.ts';
import { fleetOf, UNITS } from './fleet.ts';
import { liveSandbox } from './live-sandbox.ts';
import { ADMIN, type RunWish, run } from './run.ts';
import { exchange, logIn } from './sandbox.ts';
import { tempFolder } from './temp.ts';

/** A secret that must never be seen in an output. */
export const CANARY = 'canary-8d1f40';

/** Seconds in which an idle machine answers any request. */
const LEAST_PATIENCE = 1.5;

/** A sandbox behind a faulty proxy, whose users are subscribed to `tickets`, and `apply --yes` through it. */
export async function faultyServer(
  yaml: string,
  fault: (seen: Seen) => Fault | undefined,
  settings: Dialect = {},
) {
  const {
    servers,
    patience,
    run: start,
  } = await faultyServers(yaml, [settings], fault);
  const [server] = servers;
  if (server === undefined) throw new Error('a server was asked for');
  // A secret that cannot be read is written only where that is asked for.
  const hidden =
    settings.passwords === undefined ? [] : ['--write-hidden', 'all'];
  const command = [
    'apply',
    '--yes',
    '-f',
    'a.yaml',
    '--report',
    'json',
    ...hidden,
    '--url',
    server.proxy.url,
  ];
  return {
    ...server,
    patience,
    apply: (flags: readonly string[] = [], wish: RunWish = {}) =>
      start([...command, ...flags], wish),
  };
}

export type FaultyServers = Awaited<ReturnType<typeof faultyServers>>;

/** The same for a server with each of these settings, and a project with one configuration for all. */
export async function faultyServers(
  yaml: string,
  settings: readonly Dialect[],
  fault: (seen: Seen, server: number) => Fault | undefined,
) {
  const servers = await Promise.all(
    settings.map(async (each, index) => {
      const { url, exchanges } = await liveSandbox({
        ...(await fleetOf(UNITS)),
        settings: { maxPageSize: 3, ...each },
      });
      const proxy = await faultyProxy(url, (seen) => fault(seen, index));
      const start = performance.now();
      const body = {
        data: { id: 'tickets', attributes: { autosubscribe: true } },
      };
      await exchange(url, 'PATCH', '/api/integrations/tickets', {
        token: await logIn(url, 'admin'),
        body,
      });
      const pause = (performance.now() - start) / 1000;
      exchanges.length = 0;
      return {
        name: `server${index}`,
        proxy,
        exchanges,
        patience: Math.max(LEAST_PATIENCE, 10 * pause),
      };
    }),
  );
  const entries = servers.map(
    ({ name, proxy }) =>
      `  ${name}: { url: "${proxy.url}", config: [a.yaml] }\n`,
  );
  const cwd = await tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': `version: 1\nservers:\n${entries.join('')}`,
    'a.yaml': yaml,
  });
  return {
    servers,
    /** Seconds after which a request without an answer will get none: many times what requests took just now. */
    patience: Math.max(...servers.map(({ patience }) => patience)),
    run: (args: readonly string[], wish: RunWish = {}) =>
      run(args, { cwd, env: { ...ADMIN, SETPOINT_CANARY: CANARY }, ...wish }),
  };
}
