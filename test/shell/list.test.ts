import { expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:9';

/** What runs commands on three servers, of which one answers. */
async function scene() {
  const { url } = await liveSandbox();
  const cwd = await tempFolder({
    'setpoint.yaml': `version: 1
servers:
  zulu: { url: "${DOWN}", config: [a.yaml] }
  mike: { url: "${url}/", config: [a.yaml] }
  alpha: { url: "${DOWN}/x", config: [a.yaml] }
`,
    'a.yaml':
      'version: 1\nintegrations: { lookup: { match: threat_lookup_*, autosubscribe: true } }\n',
  });
  const ran = (...args: readonly string[]) => run(args, { cwd, env: ADMIN });
  return { url, ran };
}

test.each([
  ['list', /^mike\n\nSTATUS .*\n\n8 integrations\.\n\nAUTO: .*\n$/s],
  ['errors', /^mike\n\n0 integration errors\.\n$/],
])(
  '%s names the only server that answers, since others were asked too',
  async (command, text) => {
    const { ran } = await scene();
    expect(await ran(command)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(text),
    });
    const single = await ran(command, '--server', 'mike');
    expect(single.stdout).not.toContain('mike');
  },
);

test('a server has one address in all reports, and findings have the order of setpoint.yaml', async () => {
  const { url, ran } = await scene();
  for (const command of ['list', 'errors', 'plan']) {
    const report = json<{
      servers: readonly { url: string }[];
      diagnostics: readonly { code: string; server?: string }[];
    }>(await ran(command, '--report', 'json'));
    expect(report.servers.map((server) => server.url)).toEqual([url]);
    const unreachable = report.diagnostics.filter(
      ({ code }) => code === 'unreachable',
    );
    expect(unreachable.map(({ server }) => server)).toEqual(['zulu', 'alpha']);
  }
});
