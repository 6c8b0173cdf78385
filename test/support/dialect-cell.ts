import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../src/sandbox/service.ts';
import { at, listAt, recordAt } from './at.ts';
import { type Dialect, startDialect } from './dialects.ts';
import { ADMIN, type RunResult, run } from './run.ts';
import { exchange, logIn } from './sandbox.ts';
import { ASSETS, LOGS, THREAT, TICKETS, VAULT } from './sandbox-requests.ts';

/** The secret of every cell. */
export const SECRET = 'dialect-secret-52c1';

/** Each type of option with a value that none has on a fresh server, each permission, and autosubscribe. */
const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    autosubscribe: true
    options:
      apiKey: { value: "\${env:SETPOINT_CELL}", permission: lock-and-hide }
      url: https://other.example.com
      timeout: 30
      verifyTls: false
      mode: { value: thorough, permission: lock-and-show }
      types: [hash, url]
  tickets: { match: ${TICKETS}, options: { url: https://t.example.com, allowCreate: false, priority: { permission: lock-and-hide } } }
  vault: { match: ${VAULT}, autosubscribe: true, options: { orgId: { value: 7, permission: user-provides }, writeBack: true } }
  logs: { match: ${LOGS}, options: { fields: "source", account: me } }
  assets: { match: ${ASSETS}, options: { password: "\${env:SETPOINT_CELL}", host: db.example.com, port: 5433 } }
`;

/** What a server holds: the attributes of all integrations and options as the default settings show them. */
export type State = ReadonlyMap<string, string>;

export interface Cell {
  readonly planned: RunResult;
  readonly applied: RunResult;
  readonly again: RunResult;
  /** What was accepted of each run, by its PATCHes. */
  readonly writes: { readonly planned: number; readonly applied: number; readonly again: number };
  readonly state: State;
}

/** Plans, applies and plans again on a fresh server with these settings, then reads what it holds. */
export async function runDialect(settings: Dialect, flags: readonly string[]): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-dialect-'));
  const dataFile = join(folder, 'state.json');
  try {
    await writeFile(join(folder, 'a.yaml'), YAML);
    const cell = await withServer(dataFile, { maxPageSize: 3, ...settings }, async (url, exchanges) => {
      const command = async (...args: readonly string[]) => {
        exchanges.length = 0;
        const wish = { cwd: folder, env: { ...ADMIN, SETPOINT_CELL: SECRET } };
        const result = await run([...args, '-f', 'a.yaml', '--url', url, '--report', 'json'], wish);
        return { result, writes: exchanges.filter(isWrite).length };
      };
      const planned = await command('plan', ...flags);
      const applied = await command('apply', '--yes', ...flags);
      const again = await command('plan', '--exit-code');
      return {
        planned: planned.result,
        applied: applied.result,
        again: again.result,
        writes: { planned: planned.writes, applied: applied.writes, again: again.writes },
      };
    });
    return { ...cell, state: await withServer(dataFile, {}, stateOf) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isWrite({ method, status }: Exchange): boolean {
  return method === 'PATCH' && status < 300;
}

async function withServer<T>(
  dataFile: string,
  settings: Dialect,
  body: (url: string, exchanges: Exchange[]) => Promise<T>,
): Promise<T> {
  const exchanges: Exchange[] = [];
  const onExchange = (each: Exchange) => exchanges.push(each);
  const sandbox = await startDialect({ dataFile, onExchange }, settings);
  try {
    return await body(sandbox.url, exchanges);
  } finally {
    await sandbox.close();
  }
}

async function stateOf(url: string): Promise<State> {
  const token = await logIn(url, 'admin');
  const { body } = await exchange(url, 'GET', '/api/integrations', { token });
  const resources = [...listAt(body, 'data'), ...listAt(body, 'included')];
  return new Map(
    resources.flatMap((resource) =>
      Object.entries(recordAt(resource, 'attributes')).map(([name, value]): [string, string] => [
        `${String(at(resource, 'id'))}#${name}`,
        JSON.stringify(value),
      ]),
    ),
  );
}
