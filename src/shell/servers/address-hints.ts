import { checkServerUrl } from '../../core/config/server-url.ts';
import { type Checked, type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
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

/** A server that failed at an address that ends like that of a page. */
export function likelyPage(found: readonly Diagnostic[], url: URL, place: Place | undefined): Diagnostic[] {
  const page = PAGE.exec(url.pathname)?.[0];
  if (page === undefined || !found.some(isOfOtherPath)) return [];
  return [diagnostic('likely-page', { url: `${url.origin}${url.pathname}`, page }, place)];
}

/** Whether a server answers so where it has no API; one that refuses a password has found it. */
function isOfOtherPath(found: Diagnostic): boolean {
  if (found.code === 'login-failed') return found.facts.status !== 401;
  return ['http-status', 'redirected', 'bad-media-type', 'bad-answer'].includes(found.code);
}

/** A finding of a connection, with the other scheme where the port speaks it. */
export function withAddressHint(found: Diagnostic, url: URL): Diagnostic {
  const hint = schemeHint(found, url);
  if (hint === undefined) return found;
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
