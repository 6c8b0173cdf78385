import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hide } from '../../core/model/secret.ts';
import { fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readSmallText, unreadable } from '../sources/regular-file.ts';

/** The credentials of a server, and the variables that they come from. */
interface FoundCredentials {
  readonly credentials: Credentials;
  readonly source: CredentialSource;
}

/** What to check if they are refused, and the variable of a token to use instead. */
type CredentialSource = { readonly variables: string; readonly token?: string };

/**
 * Reads the credentials of a server from the environment: from `SETPOINT_SERVER_<NAME>_TOKEN` and so on, else from
 * `SETPOINT_TOKEN` and so on. It never mixes the two, which could send the password of one account to another server.
 */
export async function readCredentials(run: Run, server: string | undefined): Promise<FoundCredentials> {
  const prefixes = [
    ...(server === undefined ? [] : [`SETPOINT_SERVER_${environmentName(server)}_`]),
    'SETPOINT_',
  ];
  for (const prefix of prefixes) {
    const { token, username, password, source } = await readUnder(run, prefix);
    if (token !== undefined)
      return { credentials: { kind: 'token', token }, source: { variables: `${prefix}TOKEN` } };
    if (username !== '' && password !== undefined)
      return {
        credentials: { kind: 'login', username, password },
        source: { variables: `${source.username} and ${source.password}`, token: `${prefix}TOKEN` },
      };
    const missing = username !== '' ? source.password : password !== undefined ? source.username : undefined;
    if (missing !== undefined) fail(diagnostic('no-credentials', { prefix, missing }));
  }
  return fail(diagnostic('no-credentials', { prefix: prefixes[0] ?? '' }));
}

/** A finding of a session, with the variables that its credentials came from. */
export function withVariables(found: Diagnostic, source: CredentialSource): Diagnostic {
  return found.code === 'login-refused' ? { ...found, facts: { ...found.facts, ...source } } : found;
}

/** What the variables with a prefix hold. */
async function readUnder(run: Run, prefix: string) {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const token = headerSafe(value('TOKEN').trim(), `${prefix}TOKEN`);
  const direct = value('PASSWORD');
  const file = value('PASSWORD_FILE');
  const isFile = direct === '' && file !== '';
  const source = { username: `${prefix}USERNAME`, password: `${prefix}PASSWORD${isFile ? '_FILE' : ''}` };
  const password = isFile ? await readPasswordFile(run, file, source.password) : direct;
  const username = value('USERNAME');
  const given = (text: string) => {
    if (text === '') return undefined;
    const secret = hide(text);
    // A user name is no secret, also where it is the password: masked, `admin` would take words apart.
    if (text !== username) run.secrets.given(secret);
    return secret;
  };
  return { token: given(token), username, password: given(password), source };
}

async function readPasswordFile(run: Run, path: string, variable: string): Promise<string> {
  const found = await readSmallText(run, resolve(run.runtime.cwd, path));
  return 'text' in found ? found.text : fail(unreadable(`the file that ${variable} names`, found));
}

/** A token that can go into a header: any other character was copied by mistake. */
function headerSafe(token: string, variable: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  if (/^(authorization:\s*)?bearer\s/i.test(token))
    return failUsage(
      `${variable} begins with Bearer, which is not part of the token.`,
      'Set the token alone: setpoint writes Bearer in front of it.',
    );
  return failUsage(
    `${variable} contains a character that no token can have.`,
    'Copy it again, without line breaks or quotes.',
  );
}
