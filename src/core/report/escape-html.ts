import { forTerminal } from './escape.ts';

/** Foreign text for HTML, between tags or in an attribute in quotes: visible as in text, not too long, and no markup. */
export function forHtml(text: string): string {
  return forTerminal(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
