import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import { leftoverIn } from '../../core/config/text-flaws.ts';
import { LEFTOVERS } from '../../core/findings/configuration.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hide, type Secret } from '../../core/model/secret.ts';
import { fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from '../sources/files.ts';
import type { Variables } from '../sources/variables.ts';
import type { Server } from './server.ts';

/**
 * Finds the credentials of a server among its variables; a finding if there are
 * none.
 */
export async function findCredentials(
  run: Run,
  { credentialsName, variables }: Server,
): Promise<Credentials | Diagnostic> {
  // The first that are set count, and no two are mixed.
  const prefixes = ['SETPOINT_'];
  if (credentialsName !== undefined) {
    prefixes.unshift(`SETPOINT_SERVER_${environmentName(credentialsName)}_`);
  }
  for (const prefix of prefixes) {
    const credentials = await credentialsUnder(run, variables, prefix);
    if (credentials !== undefined) return credentials;
  }
  const [prefix = ''] = prefixes;
  return diagnostic('no-credentials', { prefix });
}

/** Reads a token, or else a login; undefined if nothing of either is set. */
async function credentialsUnder(
  run: Run,
  variables: Variables,
  prefix: string,
): Promise<Credentials | undefined> {
  const [tokenName, userName] = [`${prefix}TOKEN`, `${prefix}USERNAME`];
  const token = variables[tokenName] ?? '';
  if (token !== '') {
    const secret = checkedSecret(run, tokenName, token);
    if (/^[\x21-\x7e]+$/.test(token)) return { secret, variables: tokenName };
    failUsage(
      `${tokenName} contains a character that no token can have.`,
      'Copy the token alone, without Bearer, line breaks or quotes.',
    );
  }
  const username = variables[userName] ?? '';
  let passwordName = `${prefix}PASSWORD`;
  let password = variables[passwordName] ?? '';
  const path = variables[`${passwordName}_FILE`] ?? '';
  if (password === '' && path !== '') {
    passwordName = `${passwordName}_FILE`;
    password = await readPassword(run, passwordName, path);
  }
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') {
    const missing = password === '' ? passwordName : userName;
    fail(diagnostic('no-credentials', { prefix, missing }));
  }
  checkLogin(userName, username);
  const secret = checkedSecret(run, passwordName, password);
  return { username, secret, variables: `${userName} and ${passwordName}` };
}

async function readPassword(
  run: Run,
  variable: string,
  path: string,
): Promise<string> {
  const content = await readTextFile(run, resolve(run.runtime.cwd, path));
  if ('reason' in content) {
    return fail(unreadable(`the file that ${variable} names`, content));
  }
  const password = content.text.replace(/\r?\n$/, '');
  if (password === '') failUsage(`The file that ${variable} names is empty.`);
  return password;
}

/** Hides a token or a password, in all that the run writes too. */
function checkedSecret(
  { writer }: Run,
  variable: string,
  text: string,
): Secret<string> {
  checkLogin(variable, text);
  const secret = hide(text);
  writer.addSecret(secret);
  return secret;
}

/** Fails if a part of a login is likely wrong: accounts lock. */
function checkLogin(variable: string, text: string): void {
  if (/\s$/.test(text)) {
    failUsage(
      `The text from ${variable} ends in white space.`,
      'Set it without. A file with line ends of Windows leaves a carriage return.',
    );
  }
  const leftover = leftoverIn(text);
  if (leftover === undefined) return;
  const { words, hint } = LEFTOVERS[leftover];
  failUsage(`${variable} holds ${words}, not the login itself.`, hint);
}
