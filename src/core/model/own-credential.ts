/**
 * Whether an environment variable is reserved for setpoint's own login: no reference reads it. Letter case makes no difference,
 * as some platforms ignore it.
 */
export function isOwnCredential(variable: string): boolean {
  return /^SETPOINT_(TOKEN|USERNAME|PASSWORD|PASSWORD_FILE|SERVER_.*)$/is.test(
    variable,
  );
}

/** setpoint's own tokens and passwords in an environment. A password that equals its user name is none. */
export function ownCredentials(
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(env).flatMap(([name, text = '']) => {
    const isSecret = isOwnCredential(name) && /(TOKEN|PASSWORD)$/i.test(name);
    const isUsername =
      /PASSWORD$/i.test(name) &&
      text === env[name.replace(/PASSWORD$/, 'USERNAME')];
    return isSecret && text !== '' && !isUsername ? [text] : [];
  });
}
