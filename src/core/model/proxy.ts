/** The proxy of an environment. */
export interface ProxySettings {
  /** Without the account. */
  address: string;
  /** The header that shows the account; empty without one. */
  authorization: string;
  /** The password, as it is written and as it is meant. */
  secrets: readonly string[];
  /** The hosts that are reached without it. */
  except: string;
}

/** Finds the proxy for https addresses; an empty variable names none. */
export function proxyIn(
  env: Readonly<Record<string, string | undefined>>,
): ProxySettings | undefined {
  const text = env['HTTPS_PROXY'] || env['https_proxy'];
  if (!text) return undefined;
  const except = env['NO_PROXY'] || env['no_proxy'] || '';
  // An account may hold any character, written as it is or as %40.
  const [, scheme = '', username = '', password = '', host = ''] =
    /^(\w+:\/\/)?(?:([^:]*)(?::(.*))?@)?([^@]*)$/s.exec(text) ?? [];
  const address = scheme + host;
  const account = percentDecoded(`${username}:${password}`);
  const login = Buffer.from(account).toString('base64');
  const authorization = account === ':' ? '' : `Basic ${login}`;
  const secrets = [password, percentDecoded(password)];
  return { address, authorization, secrets, except };
}

/** Decodes `%40` and the like, and leaves any other `%` as it is. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  );
}
