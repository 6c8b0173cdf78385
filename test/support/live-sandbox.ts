import { onTestFinished } from 'vitest';
import type { Exchange } from '../../src/sandbox/service.ts';
import { type Dialect, type ServiceWish, startDialect } from './dialects.ts';
import { ADMIN, run } from './run.ts';
import { tempFolder } from './temp.ts';

/** A sandbox by the real clock that a client talks to; it ends with the test. */
export interface LiveSandbox {
  readonly url: string;
  /** All requests that it answered, in order. */
  readonly exchanges: Exchange[];
  /** Methods and paths of the requests since the last call, without the query; in the order of their answers. */
  readonly seen: () => string[];
  /** Starts it again at its address, with its catalog as it is by then. */
  readonly restart: () => Promise<void>;
}

export interface LiveWish extends ServiceWish {
  readonly settings?: Dialect;
}

/** Starts a sandbox for one test. */
export async function liveSandbox({
  settings,
  ...wish
}: LiveWish = {}): Promise<LiveSandbox> {
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange) => exchanges.push(exchange);
  let running = await startDialect({ onExchange, ...wish }, settings);
  onTestFinished(() => running.close());
  const { url } = running;
  const mark = { at: 0 };
  return {
    url,
    exchanges,
    seen: () => {
      const since = exchanges.slice(mark.at);
      mark.at = exchanges.length;
      return since.map(
        ({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`,
      );
    },
    restart: async () => {
      await running.close();
      const port = Number(new URL(url).port);
      running = await startDialect({ onExchange, ...wish, port }, settings);
    },
  };
}

/** An option of an integration's configuration file, locked and hidden; `more` says what is different about it. */
export function option(
  key: string,
  type: string,
  value: unknown = '',
  more: object = {},
) {
  return {
    key,
    name: key,
    description: '',
    default: value,
    type,
    userCanEdit: false,
    adminOnly: true,
    ...more,
  };
}

/** The configuration file of an integration with these options. */
export function configuration(...options: object[]): string {
  return JSON.stringify({ name: 'Of a test', acronym: 'T', options });
}

/** A sandbox, and a folder with these files, of which `a.yaml` is the configuration that commands are run with. */
export async function scene(
  files: string | Readonly<Record<string, string>>,
  wish: LiveWish = {},
) {
  const sandbox = await liveSandbox(wish);
  const cwd = await tempFolder(
    typeof files === 'string' ? { 'a.yaml': files } : files,
  );
  const attempt = (
    args: readonly string[],
    env: Record<string, string> = {},
    url = sandbox.url,
  ) =>
    run([...args, '-f', 'a.yaml', '--url', url, '--report', 'json'], {
      cwd,
      env: { ...ADMIN, ...env },
    });
  const patches = () =>
    sandbox.exchanges.filter(({ method }) => method === 'PATCH');
  return { sandbox, cwd, attempt, patches };
}

/** The same with integrations of a test's own, by their ids, and the YAML of their entries. */
export async function ownCatalog(
  integrations: Readonly<Record<string, string>>,
  yaml: string,
  wish: LiveWish = {},
) {
  const text = `version: 1\nintegrations:\n${yaml.replace(/^/gm, '  ')}\n`;
  return scene(text, { ...(await installed(integrations)), ...wish });
}

/** What a sandbox installs: integrations by their ids. */
export async function installed(
  integrations: Readonly<Record<string, string>>,
) {
  const files = Object.entries(integrations).map(([id, text]) => [
    `${id}.json`,
    text,
  ]);
  const ids = Object.fromEntries(
    Object.keys(integrations).map((id) => [id, id]),
  );
  return { catalog: await tempFolder(Object.fromEntries(files)), ids };
}
