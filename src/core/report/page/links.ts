import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { visible } from '../escape.ts';
import { placeLink } from '../model/place-link.ts';
import { type Child, element, joined, type Markup } from './markup.ts';

/** The most places that stand next to each other. */
const MOST_PLACES = 3;

/** The id of an integration on its card, also as the end of an address. */
export function integrationId(name: string): string {
  return `i-${encodeURIComponent(visible(name))}`;
}

/** The first of some places, with links, and how many more there are. */
export function placeLinks(
  document: Document,
  places: readonly Place[],
  textOf: (place: Place) => string,
): Child {
  const links: Child[] = [];
  for (const place of places.slice(0, MOST_PLACES)) {
    links.push(linkTo(place, textOf(place), document));
  }
  const more = places.length - links.length;
  if (more > 0) links.push(`and ${more} more`);
  return joined(links, ' ');
}

function linkTo(place: Place, text: string, document: Document): Markup {
  const { file, line } = place;
  const code = element('code', {}, text);
  const href = placeLink(document, place);
  if (href === undefined) return code;
  const title = `${file} line ${line}`;
  return element('a', { href, rel: 'noreferrer', title }, code);
}
