/**
 * Whether an environment variable holds a credential of setpoint itself, for any server, or names its file. Letter case makes
 * no difference: some platforms ignore it, and a configuration means the same on all.
 */
export function isOwnCredential(variable: string): boolean {
  return /^SETPOINT_(\w*_)?(TOKEN|USERNAME|PASSWORD|PASSWORD_FILE)$/i.test(variable);
}

/** The credentials of setpoint itself in an environment, for any server. A password that equals its user name is none. */
export function ownCredentials(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, text = '']) => {
    const isSecret = isOwnCredential(name) && !/(USERNAME|PASSWORD_FILE)$/i.test(name);
    return isSecret && text !== '' && text !== env[name.replace(/PASSWORD$/, 'USERNAME')] ? [text] : [];
  });
}

/** Whether an environment variable names the file of a password of setpoint itself. */
export function isPasswordFile(variable: string): boolean {
  return isOwnCredential(variable) && /_PASSWORD_FILE$/i.test(variable);
}
