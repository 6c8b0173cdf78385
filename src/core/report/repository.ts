import type { Place } from '../model/place.ts';
import type { Document } from '../plan/plan-document.ts';

/** The short form of ssh: `git@host:path`. */
const SHORT = /^[^/@:\s]+@([^/@:\s]+):\/?([^\s]+)$/;

/** An address without white space, backslashes and what is invisible. */
const PLAIN = /^[!-[\]-~]+$/;

/** A host and a path that mean the same wherever a link is shown. */
const PAGE = /^[a-z\d][a-z\d.:-]*(?:\/(?:[\w.~+-]|%[\da-f]{2})+)+$/i;

/**
 * The web address of the repository that a remote of git names by `https` or
 * ssh: without credentials, query and fragment. Undefined for all else, and
 * for whatever a link should not hold.
 */
export function webAddress(remote: string): string | undefined {
  const written = remote.replace(SHORT, 'ssh://$1/$2');
  if (!PLAIN.test(written) || !URL.canParse(written)) return undefined;
  const { protocol, hostname, host, pathname } = new URL(written);
  if (protocol !== 'https:' && protocol !== 'ssh:') return undefined;
  // Nobody knows at which port a server of ssh has its pages.
  const origin = protocol === 'ssh:' ? hostname : host;
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const page = `${origin}${path}`;
  return PAGE.test(page) ? `https://${page}` : undefined;
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
