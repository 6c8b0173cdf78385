/** What a user may do: everything; manage integrations; only read. */
type Role = 'administrator' | 'integration-manager' | 'user';

/** A user of the service, without the password. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

/** The user with these credentials; undefined where they are wrong. Each user's password is the username. */
export function authenticate(username: string, password: string): User | undefined {
  return USERS.find((user) => user.username === username && password === username);
}
