/** The short form of ssh: `git@host:path`. */
const SHORT = /^[^/@:\s]+@([^/@:\s]+):\/?([^\s]+)$/;

/** An address with a host, without white space, backslashes and what is invisible. */
const PLAIN = /^(?:https?|ssh):\/\/(?!\/)[!-[\]-~]+$/i;

/** A part of a path that leads elsewhere. */
const DOTS = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

const HOST = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;

/** A path that means the same wherever a link is shown. */
const PATH = /^(?:\/(?:[\w.~+-]|%[\da-f]{2})+)+$/i;

/**
 * The web address of the repository that a remote of git names: `https`,
 * without credentials, query and fragment. Undefined for local paths, other
 * schemes, and whatever a link should not hold.
 */
export function webAddress(remote: string): string | undefined {
  const [, shortHost, shortPath] = SHORT.exec(remote) ?? [];
  const written =
    shortHost === undefined ? remote : `ssh://${shortHost}/${shortPath}`;
  if (!PLAIN.test(written) || DOTS.test(written)) return undefined;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  const host = hostOf(url);
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  if (host === undefined || !PATH.test(path)) return undefined;
  return `https://${host}${path}`;
}

/** The host of the web pages of a repository, with a port only if https has it. */
function hostOf({ protocol, hostname, port }: URL): string | undefined {
  if (!HOST.test(hostname)) return undefined;
  if (protocol === 'ssh:') return hostname;
  if (protocol === 'https:') {
    return port === '' ? hostname : `${hostname}:${port}`;
  }
  // Nobody knows at which port it has https.
  return protocol === 'http:' && port === '' ? hostname : undefined;
}
