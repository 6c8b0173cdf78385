import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';

const COMMIT = /^[0-9a-f]{40,64}$/;

/** A host of the web, perhaps with a port; URLs take more characters. */
const HOST = /^[a-z0-9.-]+(:\d+)?$/;

/**
 * The web address of a line at the commit of a document: https, percent-encoded
 * but for unreserved characters. Undefined if the document knows no repository
 * or commit, or if the file is outside of it.
 */
export function placeLink(
  { repository, commit }: Document,
  { file, line }: Place,
): string | undefined {
  if (repository === undefined || commit === undefined) return undefined;
  if (!COMMIT.test(commit)) return undefined;
  const root = repositoryAddress(repository);
  const path = pathInside(file);
  if (root === undefined || path === undefined) return undefined;
  return `${root}/${commit}/${path}#L${line}`;
}

/** Where a host shows files; undefined for any other kind of address. */
function repositoryAddress(repository: string): string | undefined {
  if (!URL.canParse(repository)) return undefined;
  const address = new URL(repository);
  const { host, username, password, pathname } = address;
  const hasAccount = username !== '' || password !== '';
  if (address.protocol !== 'https:' || hasAccount) return undefined;
  if (!HOST.test(host)) return undefined;
  const segments: string[] = [];
  for (const segment of pathname.split('/')) {
    if (segment !== '') segments.push(encodedAgain(segment));
  }
  const blob = host.includes('gitlab') ? '-/blob' : 'blob';
  return `https://${[host, ...segments, blob].join('/')}`;
}

/** A file's path in the repository; undefined if it may lead out of it. */
function pathInside(file: string): string | undefined {
  const segments: string[] = [];
  for (const segment of file.replace(/^\.\//, '').split('/')) {
    if (segment === '' || segment === '.' || segment === '..') return undefined;
    segments.push(encoded(segment));
  }
  return segments.join('/');
}

/** A part of a path that may have percent signs of its own encoding. */
function encodedAgain(segment: string): string {
  return encoded(segment).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

/** Nothing stays as it is that could end a link in any sink. */
function encoded(segment: string): string {
  // Half a character has no encoding; it becomes the sign for that.
  const text = Buffer.from(segment).toString();
  return encodeURIComponent(text).replace(/[!'()*]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
