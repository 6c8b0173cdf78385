import { checkServerUrl } from '../../core/config/server-url.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import type { Place } from '../../core/model/place.ts';
import { CLOSED_REASONS, NO_TLS } from '../failure.ts';

/** Checks a server's address, and says what to do about one that was copied from a page. */
export function checkedAddress(text: string, place?: Place): Checked<URL> {
  const checked = checkServerUrl(text, place);
  const hint = checked.value === undefined ? addressHint(text) : undefined;
  if (hint === undefined) return checked;
  const diagnostics = checked.diagnostics.map((found) =>
    found.code === 'bad-url' ? { ...found, facts: { ...found.facts, hint } } : found,
  );
  return { ...checked, diagnostics };
}

/** The address without what belongs to a page. It never repeats credentials, a query or a fragment. */
function addressHint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  if (username !== '' || password !== '' || (search === '' && hash === '')) return undefined;
  return `Leave out what a browser shows behind the server: ${withoutPage(origin, pathname)}`;
}

/** What the paths of pages, and of the API itself, end in. */
const PAGE = /(?:\/(?:api(?:\/.*)?|log-?in|sign-?in|index\.html|integrations?|settings|admin|home))+$/i;

function withoutPage(origin: string, pathname: string): string {
  return `${origin}${pathname.replace(/\/+$/, '').replace(PAGE, '')}`;
}

/** A finding of a connection, with the likely address if the URL ends like that of a page. */
function withPageHint(found: Diagnostic, { origin, pathname }: URL): Diagnostic {
  if (!PAGE.test(pathname)) return found;
  const hint = `The URL ends like that of a page. Try ${withoutPage(origin, pathname)}`;
  if (found.code === 'bad-answer') return { ...found, facts: { ...found.facts, hint } };
  // A server that refuses a password has found its API.
  const isElsewhere = found.code === 'login-refused' && found.facts.status !== 401;
  return isElsewhere ? { ...found, facts: { ...found.facts, hint } } : found;
}

/** A finding of a connection, with the other scheme where the port speaks it. */
export function withAddressHint(found: Diagnostic, url: URL): Diagnostic {
  const hint = schemeHint(found, url);
  if (hint === undefined) return withPageHint(found, url);
  if (found.code === 'unreachable') return { ...found, facts: { ...found.facts, hint } };
  return found.code === 'bad-answer' ? { ...found, facts: { ...found.facts, hint } } : found;
}

function schemeHint(found: Diagnostic, url: URL): string | undefined {
  const isTls = url.protocol === 'https:';
  if (found.code === 'unreachable' && isTls && found.facts.reason === NO_TLS)
    return isLoopback(url) ? `If it speaks plain http, use http://${url.host}` : undefined;
  const isClosed = found.code === 'unreachable' && CLOSED_REASONS.has(found.facts.reason);
  const isBroken = found.code === 'bad-answer' && found.facts.problem === 'it is not valid HTTP';
  return !isTls && (isClosed || isBroken) ? `If the port speaks TLS, use https://${url.host}` : undefined;
}
