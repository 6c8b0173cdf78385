import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

export interface Registry {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
}

interface RegistryWish {
  /** The name of a package that it does not have; it passes all others on to the registry of this machine. */
  readonly refused?: string | undefined;
}

/** A registry of packages on loopback; without a wish it has none. */
export async function loopbackRegistry(
  wish: RegistryWish = {},
): Promise<Registry> {
  const requests: string[] = [];
  const upstream = await configuredRegistry();
  const server = createServer(async ({ url: path = '/', headers }, answer) => {
    requests.push(path);
    const [, name] = path.split('/');
    if (wish.refused === undefined || name === wish.refused) {
      answer.writeHead(404).end();
      return;
    }
    const accept = headers.accept ?? '*/*';
    await pass(new URL(path.slice(1), upstream), accept, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return { url, requests };

  /** Answers as the other registry does, whose addresses become ours. */
  async function pass(from: URL, accept: string, answer: ServerResponse) {
    const got = await fetch(from, { headers: { accept } });
    const type = got.headers.get('content-type') ?? '';
    answer.writeHead(got.status, { 'content-type': type });
    if (type.includes('json')) {
      const text = await got.text();
      answer.end(text.replaceAll(upstream, url));
    } else {
      answer.end(Buffer.from(await got.arrayBuffer()));
    }
  }
}

async function configuredRegistry(): Promise<string> {
  const words = ['config', 'get', 'registry'];
  const { stdout } = await promisify(execFile)('npm', words);
  return stdout.trim().replace(/\/?$/, '/');
}
