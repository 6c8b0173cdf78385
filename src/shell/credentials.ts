import { createHash, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diagnostic } from '../core/diagnostic.ts';
import { fail, systemReason } from './failure.ts';
import type { Run } from './run.ts';

/** How the account is proven: a token that is used as it is, or a login. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'login'; readonly username: string; readonly password: string };

/** Takes the credentials from the environment; fails with what is missing. No secret is ever a flag. */
export async function readCredentials(run: Run): Promise<Credentials> {
  const { env } = run.runtime;
  const token = (env['SETPOINT_TOKEN'] ?? '').trim();
  if (token !== '') {
    run.secrets.add(token);
    return { kind: 'token', token: headerSafe(token) };
  }
  const username = env['SETPOINT_USERNAME'] ?? '';
  const password = await readPassword(run);
  if (username === '' || password === '') fail(diagnostic('no-credentials', {}));
  run.secrets.add(password);
  return { kind: 'login', username, password };
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
    // A slow derivation, so that a guessed password cannot be tried cheaply against a published plan.
    made.key ??= scryptSync(
      secret,
      createHash('sha256')
        .update(`setpoint fingerprint\0${own === '' ? origin : ''}`)
        .digest(),
      32,
    );
    return made.key;
  };
}

async function readPassword(run: Run): Promise<string> {
  const { env, cwd } = run.runtime;
  const direct = env['SETPOINT_PASSWORD'] ?? '';
  const path = env['SETPOINT_PASSWORD_FILE'] ?? '';
  if (direct !== '' || path === '') return direct;
  try {
    return (await readFile(resolve(cwd, path), 'utf8')).replace(/\r?\n$/, '');
  } catch (thrown) {
    return fail(
      diagnostic('file-unreadable', {
        path: 'The file of SETPOINT_PASSWORD_FILE',
        reason: systemReason(thrown),
      }),
    );
  }
}

/** A token goes into a header: what no header can hold is a mistake of copying. */
function headerSafe(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  return fail(
    diagnostic('usage', {
      problem: 'SETPOINT_TOKEN holds a character that no token has.',
      hint: 'Copy it again, without line breaks or quotes.',
    }),
  );
}
