import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

async function project(...servers: readonly string[]): Promise<string> {
  return tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': `version: 1\nservers:\n${servers.map((server) => `  ${server}\n`).join('')}`,
    'ca.pem': await readFile('test/fixtures/tls/authority.pem', 'utf8'),
    'a.yaml':
      'version: 1\nintegrations: { a: { match: dns_*, options: { x: y } } }\n',
  });
}

describe('where only setpoint.yaml names a server', () => {
  test.each([
    ['plan', { CI: 'true' }],
    ['apply', { CI: 'true' }],
    ['schema', { CI: 'true' }],
    ['plan', { SETPOINT_ALLOWED_ORIGINS: 'https://a.example.com' }],
  ])(
    '%s with %j tells all refused servers, reads no credential and connects to none',
    async (command, env) => {
      const { exchanges, url } = await liveSandbox();
      const cwd = await project(
        `a: { url: "https://127.0.0.1:1", config: [a.yaml], tls: { caFile: ca.pem } }`,
        `b: { url: "${url}", config: [a.yaml] }`,
      );
      const flags =
        { apply: ['--yes'], schema: ['--server', 'a', '--server', 'b'] }[
          command
        ] ?? [];
      const result = await run([command, ...flags, '--report', 'json'], {
        cwd,
        env: {
          SETPOINT_USERNAME: 'admin',
          SETPOINT_PASSWORD_FILE: 'missing',
          ...env,
        },
      });
      expect(result.code).toBe(3);
      expect(placesOf(result)).toEqual([
        'origin-not-allowed setpoint.yaml:3:13',
        'origin-not-allowed setpoint.yaml:4:13',
      ]);
      expect(exchanges).toEqual([]);
    },
  );
  test('one that is refused keeps credentials from the others too', async () => {
    const [allowed, refused] = [await liveSandbox(), await liveSandbox()];
    const cwd = await project(
      `a: { url: "${allowed.url}", config: [a.yaml] }`,
      `b: { url: "${refused.url}", config: [a.yaml] }`,
    );
    const env = { ...ADMIN, CI: 'true', SETPOINT_ALLOWED_ORIGINS: allowed.url };
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect(result.code).toBe(3);
    expect(placesOf(result)).toEqual(['origin-not-allowed setpoint.yaml:4:13']);
    expect([...allowed.exchanges, ...refused.exchanges]).toEqual([]);
    expect((await run(['list', '--server', 'a'], { cwd, env })).code).toBe(0);
  });
  test.each([
    [
      'the list',
      [],
      (url: string) => ({
        CI: 'true',
        SETPOINT_ALLOWED_ORIGINS: `${url.toUpperCase()}/`,
      }),
    ],
    ['SETPOINT_URL', [], (url: string) => ({ CI: 'true', SETPOINT_URL: url })],
    ['--url', ['--url'], () => ({ CI: 'true' })],
    ['nobody at a terminal', [], () => ({})],
  ])('it is reached if allowed by %s', async (_, flags, envOf) => {
    const { url, exchanges } = await liveSandbox();
    const cwd = await project(`a: { url: "${url}", config: [a.yaml] }`);
    const args = ['list', ...flags.flatMap((flag) => [flag, url])];
    const result = await run(args, { cwd, env: { ...ADMIN, ...envOf(url) } });
    expect([result.code, exchanges.length > 0]).toEqual([0, true]);
  });
});
