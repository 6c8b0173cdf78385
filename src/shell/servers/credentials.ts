import { createHash, scryptSync } from 'node:crypto';
import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readSmallText, unreadable } from '../sources/regular-file.ts';

/**
 * Reads the credentials of a server from the environment: from `SETPOINT_<SERVER>_TOKEN` and so on, else from
 * `SETPOINT_TOKEN` and so on. It never mixes the two, which could send the password of one account to another server.
 */
export async function readCredentials(run: Run, server: string | undefined): Promise<Credentials> {
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

/** The key of all fingerprints: from SETPOINT_FINGERPRINT_KEY, else from the credentials. Derived on first use. */
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

/** What the variables with a prefix hold; empty texts for those that are not set. */
async function readUnder(run: Run, prefix: string) {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const token = headerSafe(value('TOKEN').trim(), `${prefix}TOKEN`);
  const direct = value('PASSWORD');
  const file = value('PASSWORD_FILE');
  const password =
    direct !== '' || file === '' ? direct : await readPasswordFile(run, file, `${prefix}PASSWORD_FILE`);
  for (const secret of [token, password]) run.secrets.given(secret);
  return { token, username: value('USERNAME'), password };
}

async function readPasswordFile(run: Run, path: string, variable: string): Promise<string> {
  const found = await readSmallText(run, resolve(run.runtime.cwd, path));
  return 'text' in found ? found.text : fail(unreadable(`the file that ${variable} names`, found));
}

/** A token that can go into a header: any other character was copied by mistake. */
function headerSafe(token: string, variable: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  return failUsage(
    `${variable} contains a character that no token can have.`,
    'Copy it again, without line breaks or quotes.',
  );
}
