import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What a user may do: all; manage integrations; read. */
export type Role = 'administrator' | 'integration-manager' | 'user';

/** A user without the password. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

export interface Accounts {
  /** The user of these credentials; undefined where they are wrong. Takes as long for a name that does not exist. */
  authenticate(username: string, password: string): Promise<User | undefined>;
}

interface Account {
  readonly user: User;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

const HASH_BYTES = 32;

const derive: (password: string, salt: Buffer, length: number) => Promise<unknown> = promisify(scrypt);

/** The three users of the sandbox, each with its name as the password; only hashes of the passwords are kept. */
export async function createAccounts(): Promise<Accounts> {
  const accounts = await Promise.all(USERS.map(createAccount));
  const byName = new Map(accounts.map((account) => [account.user.username, account]));
  const nobody = { salt: randomBytes(16), hash: randomBytes(HASH_BYTES) };
  return {
    async authenticate(username, password) {
      const account = byName.get(username);
      const { salt, hash } = account ?? nobody;
      const matches = timingSafeEqual(await hashOf(password, salt), hash);
      return matches ? account?.user : undefined;
    },
  };
}

async function createAccount(user: User): Promise<Account> {
  const salt = randomBytes(16);
  return { user, salt, hash: await hashOf(user.username, salt) };
}

async function hashOf(password: string, salt: Buffer): Promise<Buffer> {
  const hash = await derive(password, salt, HASH_BYTES);
  if (!Buffer.isBuffer(hash)) throw new Error('scrypt gave no bytes');
  return hash;
}
