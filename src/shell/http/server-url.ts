import { diagnostic } from '../../core/diagnostic.ts';
import { fail } from '../failure.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks a server's address: https, or http on loopback; no credentials, query or fragment; a trailing slash is dropped. */
export function parseServerUrl(written: string | undefined): URL {
  if (written === undefined)
    fail(
      diagnostic('usage', {
        problem: 'No server was named.',
        hint: 'Pass --url https://integrations.example.com',
      }),
    );
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse('The --url is not an http or https address, such as https://integrations.example.com.');
  }
  if (url.username !== '' || url.password !== '')
    refuse('The --url must not hold credentials; set SETPOINT_USERNAME and SETPOINT_PASSWORD.');
  if (url.search !== '' || url.hash !== '') refuse('The --url must not hold a query or fragment.');
  if (url.protocol === 'http:' && !isLoopback(url))
    refuse('The --url must begin with https://; http is for loopback only.');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Whether an address is this machine's own. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

function refuse(problem: string): never {
  return fail(diagnostic('bad-url', { problem }));
}
