import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What a user may do: all; manage integrations; read. */
type Role = 'administrator' | 'integration-manager' | 'user';

/** A user without the password. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

interface Account extends User {
  /** A salt, a dot, and what scrypt makes of the password and the salt, in base64url. */
  readonly hash: string;
}

/** The users of the sandbox; the password of each is its name. */
const ACCOUNTS: readonly Account[] = [
  {
    id: '1',
    username: 'admin',
    role: 'administrator',
    hash: 'RgFRne3CROYzW0bjFtZHaA.IoDDn6KAlXmkBqK1fAHIAl0vz4GV_tuMyzmAp-Ots-4',
  },
  {
    id: '2',
    username: 'manager',
    role: 'integration-manager',
    hash: 'aB1dOKhdz3qRFAZ1tDmoSw.UOE8tUXM6AkvCSCAdmmNslRcm-nwIJqSSIoxfmHosZ8',
  },
  {
    id: '3',
    username: 'user',
    role: 'user',
    hash: 'LoSEn_U9K2rmDCdXx9Mzlw.vLIEZV7Qo1xn9TP1v7gXpzc7ngrcBvAXFNZMYp0ctbo',
  },
];

const HASH_BYTES = 32;

const NOBODY = {
  hash: `${randomBytes(16).toString('base64url')}.${randomBytes(HASH_BYTES).toString('base64url')}`,
};

const derive: (password: string, salt: string, length: number) => Promise<unknown> = promisify(scrypt);

/** The user of these credentials; undefined where they are wrong. Takes as long for a name that does not exist. */
export async function authenticate(username: string, password: string): Promise<User | undefined> {
  const account = ACCOUNTS.find((each) => each.username === username);
  const [salt = '', expected = ''] = (account ?? NOBODY).hash.split('.');
  const actual = await derive(password, salt, HASH_BYTES);
  if (!Buffer.isBuffer(actual)) throw new Error('scrypt gave no bytes');
  if (account === undefined || !timingSafeEqual(actual, Buffer.from(expected, 'base64url'))) return undefined;
  const { id, role } = account;
  return { id, username, role };
}
