import { element, type Markup } from './element.ts';

/** Lines as they are, which scroll if they are too long. */
export function lines(texts: readonly string[]): Markup {
  return element(
    'pre',
    {},
    texts.map((text) => element('code', {}, text)),
  );
}
