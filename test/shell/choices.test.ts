import { describe, expect, test } from 'vitest';
import { scene } from '../support/live-sandbox.ts';
import { findingsOf, serversOf } from '../support/report.ts';
import { THREAT, TICKETS } from '../support/sandbox-requests.ts';

const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    options:
      apiKey: "\${env:SETPOINT_KEY}"
      timeout: 31
      mode: { permission: lock-and-show }
  tickets: { match: ${TICKETS}, options: { url: "https://t.example.com" } }
`;

const MISUSES: readonly [string, string, RegExp][] = [
  ['--write-hidden', 'threat.apikey', /Did you mean threat\.apiKey\?/],
  ['--write-hidden', 'threat.options.apiKei.value', /apiKey\.value\?/],
  ['--only', 'treat', /Did you mean threat\?/],
  ['--only', 'nosuch*', /Names: threat, tickets\./],
];

describe.each(['plan', 'apply'])('%s with a flag that selects nothing', (command) => {
  test.each(MISUSES)('%s %s is refused with what was meant, and without a plan', async (flag, word, hint) => {
    const { attempt, patches } = await scene(YAML, { settings: { passwords: 'masked' } });
    const yes = command === 'apply' ? ['--yes'] : [];
    const result = await attempt([command, ...yes, flag, word], { SETPOINT_KEY: 'a-key-of-nobody' });
    expect([result.code, serversOf(result), patches()]).toEqual([3, [], []]);
    const named = { code: 'unknown-name', hint: expect.stringMatching(hint) };
    expect(findingsOf(result).filter(({ severity }) => severity !== 'note')).toMatchObject([named]);
  });
});
