import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { resolve } from 'node:path';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { useProgram } from '../support/program.ts';
import { ADMIN } from '../support/run.ts';

const pem = (name: 'one' | 'other') => resolve(`test/fixtures/tls/${name}.pem`);

const start = useProgram();

/** A sandbox behind TLS, with a certificate that vouches for itself. */
async function secured(certificate: 'one' | 'other') {
  const sandbox = await liveSandbox();
  const text = readFileSync(pem(certificate));
  const server = createServer({ key: text, cert: text }, (socket) => {
    const onward = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen: sandbox.seen };
}

/** Lists what a server holds; its exit code, the codes of its findings, and how many requests came through. */
async function listed(
  certificate: 'one' | 'other',
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { url, seen } = await secured(certificate);
  const program = start(['list', '--url', url, '--report', 'json', ...flags], {
    cwd: process.cwd(),
    env: { ...ADMIN, ...env },
  });
  const code = await program.ended;
  const { diagnostics } = JSON.parse(program.stdout()) as { diagnostics: readonly { code: string }[] };
  return { code, found: diagnostics.map((each) => each.code), isReached: seen().length > 0 };
}

const refused = { code: 1, found: ['unreachable'], isReached: false };
const trusted = { code: 0, found: [], isReached: true };

test.each([
  ['as it is', {}],
  ['whatever Node is told', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
])('a certificate that nobody vouches for is refused, %s', async (_, env) => {
  expect(await listed('one', [], env)).toEqual(refused);
  expect(await listed('one', ['--ca-file', pem('other')], env)).toEqual(refused);
});

test('--ca-file and NODE_EXTRA_CA_CERTS are trusted side by side', async () => {
  const env = { NODE_EXTRA_CA_CERTS: pem('other') };
  expect(await listed('one', ['--ca-file', pem('one')])).toEqual(trusted);
  expect(await listed('other', [], env)).toEqual(trusted);
  expect(await listed('one', ['--ca-file', pem('one')], env)).toEqual(trusted);
  expect(await listed('other', ['--ca-file', pem('one')], env)).toEqual(trusted);
});

test('--insecure warns in every run', async () => {
  const unverified = { ...trusted, found: ['not-verified'] };
  expect(await listed('one', ['--insecure'])).toEqual(unverified);
  expect(await listed('one', ['--insecure'], { NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual(unverified);
});
