import { expect, test } from 'vitest';
import { useProgram } from '../support/program.ts';
import { ADMIN } from '../support/run.ts';
import { pem, secured } from '../support/tls.ts';

const start = useProgram();

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
