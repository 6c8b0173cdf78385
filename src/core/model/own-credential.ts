/**
 * Whether an environment variable holds a credential of setpoint itself, for any server, or names its file. Letter case makes
 * no difference: some platforms ignore it, and a configuration means the same on all.
 */
export function isOwnCredential(variable: string): boolean {
  return /^SETPOINT_((\w*_)?(TOKEN|USERNAME|PASSWORD|PASSWORD_FILE)|FINGERPRINT_KEY)$/i.test(variable);
}

/** Whether an environment variable names the file of a password of setpoint itself. */
export function isPasswordFile(variable: string): boolean {
  return isOwnCredential(variable) && /_PASSWORD_FILE$/i.test(variable);
}
