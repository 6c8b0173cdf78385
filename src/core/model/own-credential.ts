/**
 * Whether an environment variable is reserved for setpoint's own login: no
 * reference reads it. Letter case makes no difference, as some platforms ignore
 * it.
 */
export function isOwnCredential(variable: string): boolean {
  return /^SETPOINT_(TOKEN|USERNAME|PASSWORD|PASSWORD_FILE|SERVER_.*)$/is.test(
    variable,
  );
}

/**
 * setpoint's own tokens and passwords in an environment. A password that equals
 * its user name is none.
 */
export function ownCredentials(
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const credentials: string[] = [];
  // An environment is slow to read: most names are enough.
  for (const name of Object.keys(env)) {
    if (!isOwnCredential(name) || !/(TOKEN|PASSWORD)$/i.test(name)) continue;
    const text = env[name] ?? '';
    const isUsername =
      /PASSWORD$/i.test(name) &&
      text === env[name.replace(/PASSWORD$/, 'USERNAME')];
    if (text !== '' && !isUsername) credentials.push(text);
  }
  return credentials;
}
