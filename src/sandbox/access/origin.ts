import { isIP } from 'node:net';
import { isLoopback } from '../../core/model/loopback.ts';
import { type Refusal, refusal } from '../wire/refusal.ts';

/**
 * Refuses what the page of another site sends through a browser: to a name that it made point here (Host), or across sites
 * (Origin). `host` is the address that the sandbox listens on.
 */
export function originGuard(host: string): (headers: Headers) => Refusal | undefined {
  const own = urlOf(host.includes(':') ? `[${host}]` : host)?.hostname;
  // Where it listens on all addresses, each is its own; a name may be anybody's.
  const isOwn = ({ hostname }: URL) =>
    hostname === own || (isIP(host) > 0 && /^[0:.]+$/.test(host) && isIP(hostname.replace(/[[\]]/g, '')) > 0);
  return (headers) => {
    const url = urlOf(headers.get('host') ?? '');
    if (url === undefined || !(isLoopback(url) || isOwn(url)))
      return refusal(403, 'The sandbox does not answer to this name.', { header: 'Host' });
    const origin = headers.get('origin');
    return origin === null || origin === url.origin
      ? undefined
      : refusal(403, 'The sandbox does not answer the pages of other sites.', { header: 'Origin' });
  };
}

function urlOf(authority: string): URL | undefined {
  return URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined;
}
