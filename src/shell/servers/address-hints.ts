import type { Diagnostic } from '../../core/findings/diagnostic.ts';

/** Paths of pages, and of the API itself, that are copied with an address. */
const PAGE = /(?:\/(?:api(?:\/.*)?|log-?in|sign-?in|index\.html|integrations?|settings|admin|home))+$/i;

/** Adds the likely address to the finding of a connection if the URL ends like that of a page. */
export function withAddressHint(found: Diagnostic, { origin, pathname }: URL): Diagnostic {
  if (!PAGE.test(pathname)) return found;
  const hint = `The URL ends like that of a page. Try ${origin}${pathname.replace(PAGE, '')}`;
  if (found.code === 'bad-answer') return { ...found, facts: { ...found.facts, hint } };
  // A server that refuses a password has found its API.
  const isElsewhere = found.code === 'login-refused' && found.facts.status !== 401;
  return isElsewhere ? { ...found, facts: { ...found.facts, hint } } : found;
}
