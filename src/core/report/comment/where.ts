import { count } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { placeLink } from '../model/place-link.ts';
import { nameCode, nameHtml, nameList } from './inline.ts';

/** The most characters of a link. */
const LONGEST_LINK = 600;

/** Servers by their names; of many how many they are. */
export function serverNames(
  names: readonly string[],
  { servers }: Document,
  write = nameCode,
): string {
  const isEverywhere = names.length === servers.length;
  if (isEverywhere && names.length > 2) return 'all servers';
  if (names.length > 3) return count(names.length, 'server');
  return nameList(names, names.length, write);
}

/** The integrations of a card and, if it is not on all servers, where. */
export function cardTitle(
  names: readonly string[],
  servers: readonly string[],
  document: Document,
): string {
  const title = nameList(names, 4);
  if (servers.length === document.servers.length) return title;
  return `${title} on ${serverNames(servers, document)}`;
}

/** The same for a summary, which is HTML. */
export function cardSummary(
  names: readonly string[],
  servers: readonly string[],
  document: Document,
): string {
  const title = nameList(names, 4, nameHtml);
  if (servers.length === document.servers.length) return title;
  return `${title} on ${serverNames(servers, document, nameHtml)}`;
}

/** Lines as `:12`, the first two; links if the document has them. */
export function lineNumbers(
  places: readonly Place[],
  document: Document,
): string {
  // Files of servers often have a field at the same line.
  const lines = new Map<number, Place>();
  for (const place of places) {
    if (!lines.has(place.line)) lines.set(place.line, place);
  }
  const shown = [...lines.values()].slice(0, 2).map((place) => {
    const text = `:${place.line}`;
    const link = shortLink(document, place);
    return link === undefined ? text : `[\`${text}\`](${link})`;
  });
  const more = lines.size - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return shown.join(' ');
}

/** Places as `file:12`, the first two; links if the document has them. */
export function placeNames(
  places: readonly Place[],
  document: Document,
): string {
  const shown = places.slice(0, 2).map((place) => {
    const text = nameCode(`${place.file}:${place.line}`);
    const link = shortLink(document, place);
    return link === undefined ? text : `[${text}](${link})`;
  });
  const more = places.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return shown.join(' ');
}

function shortLink(document: Document, place: Place): string | undefined {
  const link = placeLink(document, place);
  if (link === undefined || link.length > LONGEST_LINK) return undefined;
  return link;
}

/** Whether places of changes lead to their lines. */
export function hasLinks({ repository, commit }: Document): boolean {
  return repository !== undefined && commit !== undefined;
}
