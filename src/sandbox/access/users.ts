/** A user of the service. Administrators and integration managers may change integrations, users only read. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: 'administrator' | 'integration-manager' | 'user';
}

const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

/** The user with these credentials, if they are right. Each user's password is the username. */
export function userOf(username: string, password: string): User | undefined {
  return USERS.find((user) => user.username === username && password === username);
}

/** Whether a user sees integration errors and hidden options, and may change integrations: section 5. */
export function mayManage({ role }: User): boolean {
  return role !== 'user';
}
