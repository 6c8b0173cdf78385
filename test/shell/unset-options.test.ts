import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { OPEN_POINTS } from '../support/dialects.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    options:
      apiKey: { value: "\${env:SETPOINT_KEY}", permission: lock-and-hide }
      timeout: { value: 30, permission: lock-and-show }
      mode: fast
`;

/** A server without permission flags, and without values of options that were never set. */
async function setUp(dialect: (typeof OPEN_POINTS.dialect)[number]) {
  const sandbox = await liveSandbox({ settings: { flags: 'absent', unsetValues: 'absent', dialect } });
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const env = { ...ADMIN, SETPOINT_KEY: 'a-key-of-nobody' };
  const attempt = (...args: readonly string[]) =>
    run([...args, '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'], { cwd, env });
  return { sandbox, attempt };
}

const integrationOf = (result: RunResult) => {
  const [server] = json<{ servers: readonly ServerPlan[] }>(result).servers;
  const [integration] = server?.integrations ?? [];
  if (integration === undefined) throw new Error(result.stdout);
  return integration;
};
const addresses = (fields: readonly { readonly address: string }[]) => fields.map(({ address }) => address);

describe.each(OPEN_POINTS.dialect)(
  'options of which a server shows no value and no flags, dialect %s',
  (dialect) => {
    test('are told field by field, written on request, and are not planned again', async () => {
      const { attempt, sandbox } = await setUp(dialect);
      const first = await attempt('plan');
      // A value that is no secret was never set.
      const unset = ['threat.options.mode.value', 'threat.options.timeout.value'];
      expect(addresses(integrationOf(first).changes)).toEqual(unset);
      expect(addresses(integrationOf(first).cannotTell)).toEqual([
        'threat.options.apiKey.permission',
        'threat.options.apiKey.value',
        'threat.options.timeout.permission',
      ]);

      const flag = 'threat.options.apiKey.permission';
      const one = await attempt('plan', '--write-flags', flag);
      expect([one.code, addresses(integrationOf(one).changes)]).toEqual([0, [flag, ...unset]]);

      const applied = await attempt('apply', '--yes', '--write-secrets', 'all', '--write-flags', 'all');
      expect([applied.code, integrationOf(applied).outcome]).toEqual([0, 'sent']);
      const sent = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
      expect(sent.map(({ status }) => status)).toEqual([200]);

      const again = await attempt('plan', '--exit-code');
      expect(again.code).toBe(0);
      // The values are set now, so they are served; the flags never are.
      expect(addresses(integrationOf(again).cannotTell)).toEqual([
        'threat.options.apiKey.permission',
        'threat.options.timeout.permission',
      ]);
    });
  },
);
