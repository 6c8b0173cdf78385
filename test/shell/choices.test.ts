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

/** Plans, or applies, with these flags: the exit code, what was found, and how many plans were shown. */
async function chosen(command: 'plan' | 'apply', ...flags: readonly string[]) {
  const { attempt, patches } = await scene(YAML, { settings: { passwords: 'masked', flags: 'absent' } });
  const args = [command, ...(command === 'apply' ? ['--yes'] : []), ...flags];
  const result = await attempt(args, { SETPOINT_KEY: 'a-key-of-nobody' });
  const told = findingsOf(result).filter(({ code }) => code !== 'hidden-field' && code !== 'hides-secrets');
  return {
    code: result.code,
    codes: told.map(({ code }) => code),
    hints: told.map(({ hint = '' }) => hint),
    plans: serversOf(result).length,
    patches: patches().length,
  };
}

const MISUSES: readonly [string, string, string, RegExp][] = [
  ['--write-hidden', 'threat.apikey', 'unknown-name', /Did you mean threat\.apiKey\?/],
  ['--write-hidden', 'threat.options.apiKei.value', 'unknown-name', /apiKey\.value\?/],
  ['--only', 'treat', 'unknown-name', /Did you mean threat\?/],
  ['--only', 'nosuch*', 'unknown-name', /Names: threat, tickets\./],
];

describe.each(['plan', 'apply'] as const)('%s with a flag that selects nothing', (command) => {
  test.each(MISUSES)(
    '%s %s is refused with what was meant, and without a plan',
    async (flag, word, code, hint) => {
      const result = await chosen(command, flag, word);
      expect(result).toMatchObject({ code: 3, codes: [code], plans: 0, patches: 0 });
      expect(result.hints[0]).toMatch(hint);
    },
  );
  test.each(['threat.apiKey', 'threat.options.apiKey', 'threat.options.apiKey.value', 'all'])(
    '--write-hidden %s is what the flag is for',
    async (word) => {
      expect(await chosen(command, '--write-hidden', word)).toMatchObject({ code: 0, codes: [], plans: 1 });
    },
  );
});
