import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import { leftoverIn, oddityOf } from '../../core/config/text-flaws.ts';
import { LEFTOVERS } from '../../core/findings/configuration.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hide } from '../../core/model/secret.ts';
import { allOrFail, fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from '../sources/files.ts';
import type { Variables } from '../sources/variables.ts';
import type { Server } from './server.ts';

/** The credentials for a server, and where they come from. */
export interface Account {
  readonly credentials: Credentials;
  readonly source: CredentialSource;
}

/** What to check if a server refuses credentials. */
interface CredentialSource {
  /** The variables that they come from. */
  readonly variables: string;
  /** The variable of a token to use instead. */
  readonly token?: string | undefined;
  /** A part of them that may be wrong, and why. */
  readonly oddity?: string | undefined;
}

/** A server and the account to use there. */
export interface ServerAccount<S extends Server> {
  readonly server: S;
  readonly account: Account;
}

/** Finds the account of each server. Fails with all that are missing. */
export async function accountsOf<S extends Server>(
  run: Run,
  servers: readonly S[],
): Promise<readonly ServerAccount<S>[]> {
  const accountOf = async (server: S): Promise<ServerAccount<S>> => {
    const account = await findAccount(run, server);
    if ('code' in account) fail(account);
    return { server, account };
  };
  return allOrFail(servers.map(accountOf));
}

/**
 * Finds the credentials of a server among its variables; a finding if there are
 * none.
 */
export async function findAccount(
  run: Run,
  { credentialsName, variables }: Server,
): Promise<Account | Diagnostic> {
  // The first that are set count, and no two are mixed.
  const prefixes = ['SETPOINT_'];
  if (credentialsName !== undefined) {
    prefixes.unshift(`SETPOINT_SERVER_${environmentName(credentialsName)}_`);
  }
  for (const prefix of prefixes) {
    const account =
      tokenUnder(run, variables, `${prefix}TOKEN`) ??
      (await loginUnder(run, variables, prefix));
    if (account !== undefined) return account;
  }
  const [prefix = ''] = prefixes;
  return diagnostic('no-credentials', { prefix });
}

function tokenUnder(
  run: Run,
  variables: Variables,
  variable: string,
): Account | undefined {
  const text = variables[variable] ?? '';
  if (text === '') return undefined;
  checkLogin(variable, text);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    failUsage(
      `${variable} contains a character that no token can have.`,
      'Copy the token alone, without Bearer, line breaks or quotes.',
    );
  }
  const token = hide(text);
  run.writer.addSecret(token);
  const source = { variables: variable, oddity: oddityIn(variable, text) };
  return { credentials: { kind: 'token', token }, source };
}

async function loginUnder(
  run: Run,
  variables: Variables,
  prefix: string,
): Promise<Account | undefined> {
  const nameVariable = `${prefix}USERNAME`;
  const username = variables[nameVariable] ?? '';
  const given = await passwordUnder(run, variables, prefix);
  const { text, variable, holder } = given;
  if (username === '' && text === '') return undefined;
  if (username === '' || text === '') {
    const missing = text === '' ? variable : nameVariable;
    fail(diagnostic('no-credentials', { prefix, missing }));
  }
  checkLogin(nameVariable, username);
  checkLogin(holder, text);
  const password = hide(text);
  run.writer.addSecret(password);
  const both = `${nameVariable} and ${variable}`;
  const oddity = oddityIn(nameVariable, username) ?? oddityIn(holder, text);
  return {
    credentials: { kind: 'login', username, password },
    source: { variables: both, token: `${prefix}TOKEN`, oddity },
  };
}

/** Says why a part of a login may be wrong; `holder` is what holds it. */
function oddityIn(holder: string, text: string): string | undefined {
  const oddity = oddityOf(text);
  return oddity === undefined ? undefined : `${holder} ${oddity}`;
}

/** A password as it was given. */
interface GivenPassword {
  /** Empty if there is none. */
  readonly text: string;
  /** The variable that holds it, or names its file. */
  readonly variable: string;
  /** What holds it, in words. */
  readonly holder: string;
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
  if (text !== '' || path === '') return { text, variable: own, holder: own };
  const file = resolve(run.runtime.cwd, path);
  const content = await readTextFile(run, file, { most: 64 * 1024 });
  if ('reason' in content) {
    return fail(unreadable(`the file that ${variable} names`, content));
  }
  const password = content.text.replace(/\r?\n$/, '');
  if (password === '') failUsage(`The file that ${variable} names is empty.`);
  return { text: password, variable, holder: `The file of ${variable}` };
}

/** The white space that a login ends in, in words. */
const ENDS: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\t', 'a tab'],
  ['\n', 'a line end'],
  ['\r', 'a carriage return, as a file with line ends of Windows leaves it'],
]);

/** Fails if a part of a login is likely wrong: accounts lock. */
function checkLogin(holder: string, text: string): void {
  const [end] = /\s$/.exec(text) ?? [];
  if (end !== undefined) {
    const words = ENDS.get(end) ?? 'white space';
    failUsage(`${holder} ends in ${words}.`, 'Set it without.');
  }
  const leftover = leftoverIn(text);
  if (leftover === undefined) return;
  const { words, hint } = LEFTOVERS[leftover];
  failUsage(`${holder} holds ${words}, not the login itself.`, hint);
}
