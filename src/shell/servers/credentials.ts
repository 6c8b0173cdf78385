import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import type { LoginVariables } from '../../core/findings/connection.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hide } from '../../core/model/secret.ts';
import { fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readSmallText, unreadable } from '../sources/regular-file.ts';

/** The variables that credentials were read from. */
type CredentialSource = { readonly token: string } | LoginVariables;

/** The credentials of a server, and where they come from. */
interface FoundCredentials {
  readonly credentials: Credentials;
  readonly source: CredentialSource;
}

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
    const found = await readUnder(run, prefix);
    if (found !== undefined) return found;
  }
  return fail(diagnostic('no-credentials', server === undefined ? {} : { server: environmentName(server) }));
}

/** Reads what the variables with a prefix hold; undefined if none is set. */
async function readUnder(run: Run, prefix: string): Promise<FoundCredentials | undefined> {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const given = (text: string) => {
    const secret = hide(text);
    run.secrets.given(secret);
    return secret;
  };
  const variable = `${prefix}TOKEN`;
  const token = headerSafe(value('TOKEN').trim(), variable);
  if (token !== '')
    return { credentials: { kind: 'token', token: given(token) }, source: { token: variable } };
  const isFile = value('PASSWORD') === '' && value('PASSWORD_FILE') !== '';
  const source = { username: `${prefix}USERNAME`, password: `${prefix}PASSWORD${isFile ? '_FILE' : ''}` };
  const username = value('USERNAME');
  const password = isFile
    ? await readPasswordFile(run, value('PASSWORD_FILE'), source.password)
    : value('PASSWORD');
  if (username === '' && password === '') return undefined;
  if (password === '') fail(halfLogin(source.username, source.password));
  if (username === '') fail(halfLogin(source.password, source.username));
  // A password that equals its user name is no secret: masked, `admin` would take words apart.
  const secret = password === username ? hide(password) : given(password);
  return { credentials: { kind: 'login', username, password: secret }, source };
}

function halfLogin(given: string, missing: string): Diagnostic {
  return diagnostic('no-credentials', { half: { given, missing } });
}

/** Adds the variables of the credentials to the finding for a refused login. */
export function withVariables(found: Diagnostic, source: CredentialSource): Diagnostic {
  if (found.code !== 'login-refused') return found;
  const variables = 'username' in source ? { variables: source } : { variable: source.token };
  return { ...found, facts: { ...found.facts, ...variables } };
}

async function readPasswordFile(run: Run, path: string, variable: string): Promise<string> {
  const found = await readSmallText(run, resolve(run.runtime.cwd, path));
  return 'text' in found ? found.text : fail(unreadable(`the file that ${variable} names`, found));
}

/** Checks that a token can go into a header: any other character was copied by mistake. */
function headerSafe(token: string, variable: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  const problem = /^(authorization:\s*)?bearer\s/i.test(token)
    ? 'begins with Bearer, which is not part of the token'
    : 'contains a character that no token can have';
  return failUsage(`${variable} ${problem}.`, 'Copy the token alone, without Bearer, line breaks or quotes.');
}
