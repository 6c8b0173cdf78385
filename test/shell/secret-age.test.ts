import { beforeEach, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

let cwd = '';

beforeEach(async () => {
  const { url } = await liveSandbox();
  cwd = await tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': `version: 1
servers:
  staging: { url: "${url}", config: [base.yaml, staging.yaml] }
  production: { url: "${url}", config: [base.yaml, production.yaml] }
policy: { secret-max-age: 180d }
`,
    'base.yaml': `version: 1
integrations:
  threat: { match: threat_*, options: { apiKey: "\${env:SETPOINT_A}" } }
  desk: { match: ticket_*, options: { clientSecret: "\${env:SETPOINT_B}" } }
`,
    'staging.yaml': `version: 1
integrations:
  threat: { options: { apiKey: { rotated: 2026-01-01 } } }
`,
    'production.yaml': `version: 1
integrations:
  desk: { options: { clientSecret: { rotated: 2026-11-01 } } }
`,
  });
});

function at(...args: readonly string[]): Promise<RunResult> {
  return run(args, { cwd, env: ADMIN, now: () => NOW });
}

test('the day that is too old stands in the excerpt', async () => {
  const { stderr } = await at('plan');
  expect(stderr).toContain('warning[secret-aged]');
  expect(stderr).toContain('--> staging.yaml:3');
  expect(stderr).toContain('rotated: 2026-01-01 }');
});
