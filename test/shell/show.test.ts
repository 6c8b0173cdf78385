import { expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    autosubscribe: true
    options:
      apiKey: { value: changeme-please, permission: lock-and-show }
      timeout: null
`;

/** Findings as a report has them. */
const found = (result: Parameters<typeof json>[0]) => json<{ diagnostics: object[] }>(result).diagnostics;

test('a saved plan is shown with all that was found when it was made', async () => {
  const sandbox = await liveSandbox({ settings: { flags: 'absent' } });
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const wish = { cwd, env: { ...ADMIN, SETPOINT_FINGERPRINT_KEY: '0123456789abcdef' } };
  const flags = ['a.yaml', '--url', sandbox.url, '--write-flags', 'all', '--verbose'];
  const planned = await run(['plan', ...flags, '--report', 'json', '--report', 'json=plan.json'], wish);
  const codes = found(planned).map((each) => ('code' in each ? each.code : ''));
  expect(codes).toEqual(expect.arrayContaining(['idle-null', 'risk-to-accept', 'likely-secret']));

  const again = await run(['show', 'plan.json', '--report', 'json'], { cwd });
  expect(again.code).toBe(0);
  expect(json(again)).toEqual(json(planned));
  // Nobody can be asked: an apply shows the plan as well as it can.
  const unasked = await run(
    ['apply', 'plan.json', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'],
    wish,
  );
  expect(found(unasked)).toEqual(expect.arrayContaining(found(planned)));
});
