import { createHash, scryptSync } from 'node:crypto';
import { resolve } from 'node:path';
import { environmentName } from '../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { fail } from './failure.ts';
import { readSmallText } from './regular-file.ts';
import { refuseReportOnto } from './report-target.ts';
import type { Run } from './run.ts';

/** How the account is proven: a token that is used as it is, or a login. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'login'; readonly username: string; readonly password: string };

/** What stands under one prefix of environment variables; empty where nothing does. */
interface Found {
  readonly token: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Takes the credentials of a server from the environment: from `SETPOINT_<SERVER>_TOKEN` and so on, else from
 * `SETPOINT_TOKEN` and so on; never from both, for that could send the password of one account to another server. Fails
 * with what is missing. No secret is ever a flag.
 */
export async function readCredentials(run: Run, server?: string): Promise<Credentials> {
  const prefixes = [...(server === undefined ? [] : [`SETPOINT_${environmentName(server)}_`]), 'SETPOINT_'];
  for (const prefix of prefixes) {
    const { token, username, password } = await readUnder(run, prefix);
    if (token !== '') return { kind: 'token', token };
    if (username !== '' && password !== '') return { kind: 'login', username, password };
    if (username !== '') fail(halfLogin(prefix, 'USERNAME', 'PASSWORD'));
    if (password !== '') fail(halfLogin(prefix, 'PASSWORD', 'USERNAME'));
  }
  return fail(diagnostic('no-credentials', server === undefined ? {} : { server: environmentName(server) }));
}

function halfLogin(prefix: string, given: string, missing: string): Diagnostic {
  return diagnostic('half-credentials', { given: `${prefix}${given}`, missing: `${prefix}${missing}` });
}

/** The key of all fingerprints: from SETPOINT_FINGERPRINT_KEY, else from the credentials. Made when first asked for. */
export function fingerprintKey(
  env: Run['runtime']['env'],
  credentials: Credentials,
  origin: string,
): () => Buffer {
  const made: { key?: Buffer } = {};
  return () => {
    const own = env['SETPOINT_FINGERPRINT_KEY'] ?? '';
    const secret = own !== '' ? own : credentials.kind === 'token' ? credentials.token : credentials.password;
    const salt = createHash('sha256').update(`setpoint fingerprint\0${own === '' ? origin : ''}`);
    // A slow derivation, so that a guessed password cannot be tried cheaply against a published plan.
    made.key ??= scryptSync(secret, salt.digest(), 32);
    return made.key;
  };
}

async function readUnder(run: Run, prefix: string): Promise<Found> {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const token = headerSafe(value('TOKEN').trim(), `${prefix}TOKEN`);
  const direct = value('PASSWORD');
  const file = value('PASSWORD_FILE');
  const password =
    direct !== '' || file === '' ? direct : await readPasswordFile(run, file, `${prefix}PASSWORD_FILE`);
  for (const secret of [token, password]) if (secret !== '') run.secrets.add(secret);
  return { token, username: value('USERNAME'), password };
}

/** The text of a file that a variable names, without one newline at its end. */
async function readPasswordFile(run: Run, path: string, variable: string): Promise<string> {
  await refuseReportOnto(run.reportFiles, resolve(run.runtime.cwd, path));
  const found = await readSmallText(resolve(run.runtime.cwd, path));
  if ('text' in found) return found.text;
  return fail(
    diagnostic('file-unreadable', { path: `the file that ${variable} names`, reason: found.reason }),
  );
}

/** A token goes into a header: what no header can hold is a mistake of copying. */
function headerSafe(token: string, variable: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  const problem = `${variable} contains a character that no token can have.`;
  return fail(diagnostic('usage', { problem, hint: 'Copy it again, without line breaks or quotes.' }));
}
