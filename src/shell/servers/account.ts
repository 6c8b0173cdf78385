import { resolve } from 'node:path';
import { environmentName } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hide } from '../../core/model/secret.ts';
import { fail, failUsage } from '../failure.ts';
import type { Credentials } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from '../sources/files.ts';
import type { Server } from './server.ts';

/** The credentials of a server, and what to check if they are refused. */
export interface Account {
  readonly credentials: Credentials;
  /** The variables that they come from, and the variable of a token to use instead. */
  readonly source: { readonly variables: string; readonly token?: string };
}

/** Reads the credentials of a server from the environment; the finding if there are none. */
export async function findAccount(run: Run, { credentialsName }: Server): Promise<Account | Diagnostic> {
  const own = credentialsName === undefined ? [] : [`SETPOINT_SERVER_${environmentName(credentialsName)}_`];
  // The first that are set count, and no two are mixed.
  const prefixes = [...own, 'SETPOINT_'];
  for (const prefix of prefixes) {
    const found = tokenUnder(run, `${prefix}TOKEN`) ?? (await loginUnder(run, prefix));
    if (found !== undefined) return found;
  }
  return diagnostic('no-credentials', { prefix: prefixes[0] ?? '' });
}

function tokenUnder({ runtime, writer }: Run, variables: string): Account | undefined {
  const text = (runtime.env[variables] ?? '').trim();
  if (text === '') return undefined;
  const hint = 'Copy the token alone, without Bearer, line breaks or quotes.';
  if (!/^[\x21-\x7e]+$/.test(text))
    failUsage(`${variables} contains a character that no token can have.`, hint);
  const token = hide(text);
  writer.addSecret(token);
  return { credentials: { kind: 'token', token }, source: { variables } };
}

async function loginUnder(run: Run, prefix: string): Promise<Account | undefined> {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const file = value('PASSWORD') === '' ? value('PASSWORD_FILE') : '';
  const names = [`${prefix}USERNAME`, `${prefix}PASSWORD${file === '' ? '' : '_FILE'}`] as const;
  const username = value('USERNAME');
  const text = file === '' ? value('PASSWORD') : await readPasswordFile(run, file, names[1]);
  if (username === '' && text === '') return undefined;
  if (username === '' || text === '')
    fail(diagnostic('no-credentials', { prefix, missing: names[text === '' ? 1 : 0] }));
  const password = hide(text);
  // Those of variables are known from the start.
  if (file !== '') run.writer.addSecret(password);
  const source = { variables: names.join(' and '), token: `${prefix}TOKEN` };
  return { credentials: { kind: 'login', username, password }, source };
}

async function readPasswordFile(run: Run, path: string, variable: string): Promise<string> {
  const found = await readTextFile(run, resolve(run.runtime.cwd, path), { most: 64 * 1024 });
  if (!('text' in found)) return fail(unreadable(`the file that ${variable} names`, found));
  return found.text.replace(/\r?\n$/, '');
}
