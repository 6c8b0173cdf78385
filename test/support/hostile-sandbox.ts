import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Signal } from '../../src/shell/runtime.ts';
import { at, listAt } from './at.ts';
import { CANARY_CATALOG, restored } from './canary.ts';
import { settingsOf } from './dialects.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Hostility, hostile } from './hostile-server.ts';
import { startRewriter } from './rewriter.ts';
import { rewritesOf } from './rewrites.ts';
import { run } from './run.ts';
import { exchange, logIn } from './sandbox.ts';
import { seeded } from './seeded.ts';

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

/** Runs `setpoint sandbox` behind a hostile proxy, and returns all that it printed. */
export async function withServer(seed: number, body: (served: Served) => Promise<void>): Promise<string> {
  const { pick } = seeded(-1 - seed);
  const folder = await folderWith(CANARY_CATALOG);
  const dialect = pick(SETTINGS.dialect);
  const wanted = {
    dialect,
    passwords: pick(SETTINGS.passwords),
    store: pick(SETTINGS.store),
    echo: 'value',
  } as const;
  const { passwords } = settingsOf(wanted);
  const hands: { signal?: (name: Signal) => void; url?: (url: string) => void } = {};
  const listening = new Promise<string>((resolve) => {
    hands.url = resolve;
  });
  const ended = run(
    ['sandbox', '--port', '0', '--catalog', folder, '--dialect', dialect, '--passwords', passwords],
    {
      onStart: (signal) => {
        hands.signal = signal;
      },
      onOutput: (text) => hands.url?.(/http:\S+/.exec(text)?.[0] ?? ''),
    },
  );
  const url = await listening;
  const behaviour: { current: ReturnType<typeof hostile> } = { current: () => undefined };
  const token = await logIn(url, 'admin');
  const authorization = `Bearer ${token}`;
  const rewriter = await startRewriter(url, rewritesOf(wanted));
  const proxy = await startFaultProxy(rewriter.url, (seen) => behaviour.current(seen), { authorization });
  const { body: listed } = await exchange(url, 'GET', '/api/integrations', { token });
  const id = String(at(listAt(listed, 'data')[0], 'id'));
  const restore = () => exchange(url, 'PATCH', '/api/integration-options', { token, body: restored(id) });
  const behave = (hostility: Hostility) => {
    behaviour.current = hostile(hostility);
  };
  try {
    await body({ proxy, dialect, behave, restore });
  } finally {
    await proxy.close();
    await rewriter.close();
    hands.signal?.('SIGINT');
    await rm(folder, { recursive: true });
  }
  const { stdout, stderr } = await ended;
  return stdout + stderr;
}

/** A new folder with these files, which the caller removes. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-canary-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
