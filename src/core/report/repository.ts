import type { Place } from '../model/place.ts';
import type { Document } from '../plan/plan.ts';

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
  const written = remote.replace(SHORT, 'ssh://$1/$2');
  if (!PLAIN.test(written) || DOTS.test(written)) return undefined;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  const host = hostOf(url);
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  if (host === undefined || !PATH.test(path)) return undefined;
  return `https://${host}${path}`;
}

/** The host of the web pages of a repository, with a port only if https has it. */
function hostOf({ protocol, hostname, host, port }: URL): string | undefined {
  if (!HOST.test(hostname)) return undefined;
  if (protocol === 'ssh:') return hostname;
  // Nobody knows at which port a server with a port of http has https.
  return protocol === 'http:' && port !== '' ? undefined : host;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * The web address of a line at the commit of a document. Undefined if the
 * document knows no commit, or no repository as `webAddress` writes it, or if
 * the file is outside of it.
 */
export function placeLink(
  { repository, commit }: Document,
  { file, line }: Place,
): string | undefined {
  if (repository === undefined || commit === undefined) return undefined;
  // A saved document may be foreign.
  const isOurs = webAddress(repository) === repository && COMMIT.test(commit);
  const segments = file.replace(/^\.\//, '').split('/');
  const isInside = !segments.some((part) => /^\.{0,2}$/.test(part));
  if (!isOurs || !isInside) return undefined;
  const { host } = new URL(repository);
  const blob = host.includes('gitlab') ? '-/blob' : 'blob';
  const path = segments.map(encoded).join('/');
  return `${repository}/${blob}/${commit}/${path}#L${line}`;
}

/** Nothing stays as it is that could end a link in any sink. */
function encoded(segment: string): string {
  // Half a character has no encoding; it becomes the sign for that.
  const text = Buffer.from(segment).toString();
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
