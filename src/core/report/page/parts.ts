import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { visible } from '../escape.ts';
import { placeLink } from '../repository.ts';
import { html, type Markup, type Part } from './html.ts';

/** A link to the part of a page about an integration. */
export function integrationLink(name: string): string {
  return `#i-${encodeURIComponent(visible(name))}`;
}

/** A place in the words of `text`, as a link if the repository is known. */
export function placed(
  document: Document,
  place: Place | undefined,
  text: string,
): Part {
  const link = place && placeLink(document, place);
  if (link === undefined) return text;
  return html`<a href="${link}" rel="noreferrer">${text}</a>`;
}

/** A flag with what it takes: people copy it. */
const FLAG = /(--[a-z]+(?:-[a-z]+)*(?: (?:[A-Z]+|\d+|[a-z]+(?:-[a-z]+)+)\b)?)/;

/** Sentences with their flags as code. */
export function advice(text: string): Markup {
  const parts: Part[] = [];
  for (const [at, part] of text.split(FLAG).entries()) {
    // A split by a group has the flags at every second place.
    parts.push(at % 2 === 1 ? html`<code>${part}</code>` : part);
  }
  return html`<span class="dim">${parts}</span>`;
}

/** A fact of a change as the filter and the address of a page have it. */
export function tokenOf(kind: string, value: string): string {
  return new URLSearchParams([[kind, value]]).toString();
}
