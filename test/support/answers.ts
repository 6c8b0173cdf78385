import type { LiveSandbox } from './live-sandbox.ts';
import { exchange, logIn } from './sandbox.ts';

/** The answers to what a run has read of a sandbox, asked for once more, as a gate has them. */
export async function answersTo(sandbox: LiveSandbox): Promise<{ pages: unknown[]; details: unknown[] }> {
  const paths = sandbox.exchanges.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const token = await logIn(sandbox.url, 'admin');
  const bodies = (begin: RegExp) =>
    Promise.all(
      paths
        .filter((path) => begin.test(path))
        .map(async (path) => (await exchange(sandbox.url, 'GET', path, { token, isFree: true })).body),
    );
  return {
    pages: await bodies(/^\/api\/integrations\?/),
    details: await bodies(/^\/api\/integrations\/(?!errors)/),
  };
}
