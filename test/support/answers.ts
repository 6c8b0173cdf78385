import type { LiveDocuments } from '../../src/index.ts';
import type { LiveSandbox } from './live-sandbox.ts';
import { exchange, logIn } from './sandbox.ts';

/** The answers to what a run has read of a sandbox, asked for once more, as a gate has them. */
export async function answersTo(sandbox: LiveSandbox): Promise<LiveDocuments> {
  const paths = sandbox.exchanges.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const token = await logIn(sandbox.url, 'admin');
  const bodies = await Promise.all(
    paths.map(
      async (path) =>
        [path, (await exchange(sandbox.url, 'GET', path, { token, isFree: true })).body] as const,
    ),
  );
  const options: Record<string, unknown[]> = {};
  for (const [path, body] of bodies) {
    const id = /^\/api\/integration-options\?filter\[integration\.id\]=([^&]*)/.exec(path)?.[1];
    if (id !== undefined) options[id] = [...(options[id] ?? []), body];
  }
  const details = bodies.flatMap(([path, body]) => {
    const id = /^\/api\/integrations\/(.*)/.exec(path)?.[1];
    return id === undefined || id === 'errors' ? [] : [[id, body]];
  });
  return {
    integrations: bodies.flatMap(([path, body]) => (path.startsWith('/api/integrations?') ? [body] : [])),
    details: Object.fromEntries(details),
    options,
  };
}
