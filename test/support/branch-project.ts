import { expect } from 'vitest';
import { type Files, gitRepository } from './git-repository.ts';
import {
  configuration,
  installed,
  type LiveWish,
  liveSandbox,
  option,
} from './live-sandbox.ts';
import { serversOf } from './report.ts';
import { ADMIN, type CommandLine, type RunResult, run } from './run.ts';
import { tempFolder } from './temp.ts';

/** The environment of an administrator, with git. */
export const ENV = {
  ...ADMIN,
  PATH: process.env['PATH'] ?? '',
  SETPOINT_OLD: 'old-secret',
  SETPOINT_NEW: 'new-secret',
};
const CATALOG = {
  vt_1: configuration(
    option('key', 'password'),
    ...['a', 'b', 'c', 'd'].map((key) => option(key, 'text', 'x')),
  ),
  us_1: configuration(option('a', 'text', 'x')),
};

/** A file with one entry. */
export const entries = (text: string) =>
  `version: 1\nintegrations:\n  ${text}\n`;
/** A file with these options of one entry. */
export const vt = (options: string, name = 'vt') =>
  entries(`${name}: { match: vt_*, options: { ${options} } }`);

/** A repository with a project for one sandbox, and what runs in it; the branch of a test is its work tree. */
export async function project(base: Files, wish: LiveWish = {}) {
  const sandbox = await liveSandbox({ ...(await installed(CATALOG)), ...wish });
  const setpoint = `version: 1\nservers: { production: { url: "${sandbox.url}", config: [base/] } }\n`;
  const repository = await gitRepository({
    'setpoint.yaml': setpoint,
    ...base,
  });
  const attempt = (line: CommandLine) =>
    run(line, { cwd: repository.root, env: ENV });
  const planned = (...args: readonly string[]) =>
    attempt(['plan', '--report', 'json', ...args]);
  /** Brings the server to a configuration that is in no commit. */
  const drift = async (yaml: string) => {
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const { code } = await run(
      ['apply', '--yes', '-f', 'a.yaml', '--url', sandbox.url],
      { cwd, env: ENV },
    );
    expect(code).toBe(0);
    sandbox.seen();
  };
  return { ...repository, sandbox, attempt, planned, drift };
}

/** The label of each change, by its address; and what is settled or released. */
export const labels = (result: RunResult) =>
  Object.fromEntries(
    serversOf(result).flatMap(({ integrations }) =>
      integrations.flatMap(({ changes, left }) => [
        ...changes.map(({ address, label }) => [address, label] as const),
        ...left
          .filter(({ because }) => /^(settled|released)$/.test(because))
          .map(({ address, because }) => [address, because] as const),
      ]),
    ),
  );
