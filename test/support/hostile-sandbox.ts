import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, listAt } from './at.ts';
import { CANARY_CATALOG, restored } from './canary.ts';
import { startDialect } from './dialects.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Hostility, hostile } from './hostile-server.ts';
import { exchange, logIn } from './sandbox.ts';
import { seeded } from './seeded.ts';
import { writeFiles } from './temp.ts';

const SETTINGS = {
  dialect: ['included', 'inline', 'detail', 'options'],
  passwords: ['clear', 'clear', 'masked', 'null', 'absent'],
  store: ['typed', 'strings'],
} as const;

/** A sandbox behind a proxy, and what serves its runs. */
export interface Served {
  readonly proxy: FaultProxy;
  readonly dialect: string;
  readonly behave: (hostility: Hostility) => void;
  /** Takes back what a run has written. */
  readonly restore: () => Promise<unknown>;
}

/** Starts a sandbox behind a hostile proxy for the runs of a test. */
export async function withServer(seed: number, body: (served: Served) => Promise<void>): Promise<void> {
  const { pick } = seeded(-1 - seed);
  const catalog = await folderWith(CANARY_CATALOG);
  const dialect = pick(SETTINGS.dialect);
  const passwords = pick(SETTINGS.passwords);
  const { url, close } = await startDialect(
    { catalog },
    { dialect, passwords, store: pick(SETTINGS.store), echo: 'value' },
  );
  const behaviour: { current: ReturnType<typeof hostile> } = { current: () => undefined };
  const token = await logIn(url, 'admin', true);
  const authorization = `Bearer ${token}`;
  const proxy = await startFaultProxy(url, (seen) => behaviour.current(seen), { authorization });
  const sending = { token, isFree: true };
  const { body: listed } = await exchange(url, 'GET', '/api/integrations', sending);
  const id = String(at(listAt(listed, 'data')[0], 'id'));
  try {
    await body({
      proxy,
      dialect,
      behave: (hostility) => {
        behaviour.current = hostile(hostility);
      },
      restore: () => exchange(url, 'PATCH', '/api/integration-options', { ...sending, body: restored(id) }),
    });
  } finally {
    await proxy.close();
    await close();
    await rm(catalog, { recursive: true });
  }
}

/** A new folder with these files, which the caller removes. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-canary-'));
  await writeFiles(folder, files);
  return folder;
}
