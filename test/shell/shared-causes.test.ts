import { describe, expect, test } from 'vitest';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { json, run } from '../support/run.ts';
import { LOGS, THREAT, TICKETS, VAULT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = `version: 1
integrations:
  threat: { match: ${THREAT}, options: { timeout: 31 } }
  tickets: { match: ${TICKETS}, options: { url: "https://t.example.com" } }
  vault: { match: ${VAULT}, options: { orgId: 8 } }
  logs: { match: ${LOGS}, options: { maxConcurrent: 3 } }
`;

interface Found {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
}

/** Applies the configuration to four integrations; how it ends, and what was found. */
async function applied(wish: LiveWish, account: string) {
  const sandbox = await liveSandbox(wish);
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const env = { SETPOINT_USERNAME: account, SETPOINT_PASSWORD: account };
  const args = ['apply', '-f', 'a.yaml', '--url', sandbox.url, '--yes', '--report', 'json'];
  const result = await run(args, { cwd, env });
  return { code: result.code, found: json<{ diagnostics: readonly Found[] }>(result).diagnostics };
}

const codesIn = (found: readonly Found[]) => found.map(({ code }) => code);

describe('what several integrations refuse for one cause is told once', () => {
  test('that they do not run, and not as a warning beside it', async () => {
    const { code, found } = await applied({ stopped: ['*'] }, 'admin');
    expect([code, codesIn(found)]).toEqual([5, ['apply-failed']]);
    expect(found[0]?.message).toContain('logs, threat, tickets, vault');
  });
  test('that they are outside of the scope of the account', async () => {
    const { code, found } = await applied({ settings: { managerScope: ['threat*', 'case*'] } }, 'manager');
    expect([code, codesIn(found)]).toEqual([4, ['not-permitted']]);
    expect(found[0]?.message).toContain('logs, tickets');
  });
  test('that all are, without advice to become what the account is', async () => {
    const { code, found } = await applied({ settings: { managerScope: [] } }, 'manager');
    expect([code, codesIn(found)]).toEqual([4, ['not-permitted']]);
    expect(found[0]?.hint).toContain('scope');
  });
  test('that the server gives no reason', async () => {
    const { code, found } = await applied(
      { settings: { errorBody: 'empty', acceptType: 'singular' } },
      'admin',
    );
    expect([code, codesIn(found)]).toEqual([5, ['apply-failed']]);
    expect(found[0]?.message).toContain('logs, threat, tickets, vault');
  });
});

test('a heading of integrations that share a change says that they do not run', async () => {
  const { url } = await liveSandbox({ stopped: ['*'] });
  const cwd = await tempFolder({
    'a.yaml': YAML.replace(/options: \{.*?\}/g, 'autosubscribe: true'),
  });
  const { stdout } = await run(['plan', 'a.yaml', '--url', url], { cwd });
  expect(stdout).toMatch(/^! logs, threat, tickets, vault {2}\(stopped\)$/m);
});
