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
    const credentials =
      tokenUnder(run, variables, `${prefix}TOKEN`) ??
      (await loginUnder(run, variables, prefix));
    if (credentials !== undefined) return credentials;
  }
  const [prefix = ''] = prefixes;
  return diagnostic('no-credentials', { prefix });
}

function tokenUnder(
  run: Run,
  variables: Variables,
  variable: string,
): Credentials | undefined {
  const text = variables[variable] ?? '';
  if (text === '') return undefined;
  const secret = checkedSecret(run, variable, text);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    failUsage(
      `${variable} contains a character that no token can have.`,
      'Copy the token alone, without Bearer, line breaks or quotes.',
    );
  }
  return { secret, variables: variable };
}

async function loginUnder(
  run: Run,
  variables: Variables,
  prefix: string,
): Promise<Credentials | undefined> {
  const nameVariable = `${prefix}USERNAME`;
  const username = variables[nameVariable] ?? '';
  const { text, variable } = await passwordUnder(run, variables, prefix);
  if (username === '' && text === '') return undefined;
  if (username === '' || text === '') {
    const missing = text === '' ? variable : nameVariable;
    fail(diagnostic('no-credentials', { prefix, missing }));
  }
  checkLogin(nameVariable, username);
  const secret = checkedSecret(run, variable, text);
  const names = `${nameVariable} and ${variable}`;
  return { username, secret, variables: names };
}

/** A password as it was given. */
interface GivenPassword {
  /** Empty if there is none. */
  readonly text: string;
  /** The variable that holds it, or names its file. */
  readonly variable: string;
}

async function passwordUnder(
  run: Run,
  variables: Variables,
  prefix: string,
): Promise<GivenPassword> {
  const own = `${prefix}PASSWORD`;
  const text = variables[own] ?? '';
  const variable = `${own}_FILE`;
  const path = variables[variable] ?? '';
  if (text !== '' || path === '') return { text, variable: own };
  const file = resolve(run.runtime.cwd, path);
  const content = await readTextFile(run, file);
  if ('reason' in content) {
    return fail(unreadable(`the file that ${variable} names`, content));
  }
  const password = content.text.replace(/\r?\n$/, '');
  if (password === '') failUsage(`The file that ${variable} names is empty.`);
  return { text: password, variable };
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
