import { expect, test } from 'vitest';
import type { Dialect } from '../support/dialects.ts';
import { scene } from '../support/live-sandbox.ts';
import { addressesOf, codesOf, integrationsOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';
import { ASSETS, THREAT } from '../support/sandbox-requests.ts';
import { writeFiles } from '../support/temp.ts';

const KEY = 'threat.options.apiKey.value';
const YAML = `version: 1
integrations:
  threat: { match: ${THREAT}, options: { apiKey: "\${env:SETPOINT_KEY}", timeout: 30, mode: { permission: lock-and-show } } }
  assets: { match: ${ASSETS}, options: { host: db.example.com, port: { permission: lock-and-show } } }
`;

/** A sandbox with these settings, and what runs a command on it or on the proxy before it. */
async function setUp(settings: Dialect, yaml = YAML) {
  const { sandbox, cwd, attempt } = await scene(yaml, { settings });
  const command = (args: readonly string[]) =>
    attempt([...args, ...(args[0] === 'apply' ? ['--yes'] : [])], {
      SETPOINT_KEY: 'a-key-of-nobody',
    });
  return { sandbox, cwd, command };
}

const integrationOf = (result: RunResult, named: string) =>
  integrationsOf(result)
    .map((each) => ({ ...each, outcome: each.changes[0]?.outcome }))
    .find(({ name }) => name === named);

test('a server that shows every secret as empty has each written again, until that is declared', async () => {
  const { command, sandbox, cwd } = await setUp({ passwords: 'empty' });
  const sentKeys = () =>
    sandbox.exchanges.filter(({ body }) =>
      JSON.stringify(body)?.includes('a-key-of-nobody'),
    ).length;
  expect(codesOf(await command(['plan', '--verbose']))).toEqual([
    'hides-secrets',
  ]);
  const first = await command(['apply', '--verify', '0']);
  expect(first.code).toBe(0);
  expect(codesOf(first)).toEqual(['hides-secrets']);
  expect(sentKeys()).toBe(1);
  expect(integrationOf(first, 'threat')?.outcome).toBe('sent');
  expect(addressesOf(await command(['plan']))).toEqual([KEY]);
  const declared = await command(['plan', '--exit-code', '--hides-secrets']);
  expect([declared.code, addressesOf(declared)]).toEqual([0, []]);
  expect(integrationOf(declared, 'threat')?.left).toMatchObject([
    { address: KEY, because: 'hidden' },
  ]);
  const words = ['apply', '--hides-secrets', '--write-hidden', KEY];
  const asked = await command(words);
  expect([asked.code, codesOf(asked), sentKeys()]).toEqual([0, [], 2]);
  const env = { ...ADMIN, SETPOINT_KEY: 'a-key' };
  for (const [hides, flag] of [
    [', hidesSecrets: true', ''],
    ['', ' --hides-secrets'],
  ] as const) {
    const server = `{ url: "${sandbox.url}", config: [a.yaml]${hides} }`;
    const project = `version: 1\nservers: { it: ${server} }\n`;
    await writeFiles(cwd, { 'setpoint.yaml': project });
    const planned = await run(`plan --report json${flag}`, { cwd, env });
    expect(addressesOf(planned)).not.toContain(KEY);
  }
});

test.each(['clear', 'masked', 'null'] as const)(
  'the first key of a new integration is an ordinary change, passwords %s',
  async (passwords) => {
    const yaml = `version: 1\nintegrations: { threat: { match: ${THREAT}, options: { apiKey: "\${env:SETPOINT_KEY}" } } }\n`;
    const { command, sandbox } = await setUp({ passwords }, yaml);
    await setOption(sandbox.url, `${THREAT}-apiKey`, '');
    expect(addressesOf(await command(['plan']))).toEqual([KEY]);
    const applied = await command(['apply', '--verify', '0']);
    expect([applied.code, integrationOf(applied, 'threat')?.outcome]).toEqual([
      0,
      passwords === 'clear' ? 'verified' : 'sent',
    ]);
    expect((await command(['plan', '--exit-code'])).code).toBe(
      passwords === 'null' ? 2 : 0,
    );
  },
);

test('values of the detail alone are read for managed integrations alone', async () => {
  const { command, sandbox } = await setUp({ values: 'detail' });
  const planned = await command(['plan']);
  expect(integrationOf(planned, 'assets')?.changes).toMatchObject([
    { address: 'assets.options.host.value', before: '' },
    { address: 'assets.options.port.permission' },
  ]);
  const gets = sandbox.exchanges.filter(({ method }) => method === 'GET');
  const paths = gets.map(({ path }) => path.replace(/\?.*$/, ''));
  const single = (id: string) => `/api/integrations/${id}`;
  expect(paths).toEqual(['/api/integrations', single(ASSETS), single(THREAT)]);
});
