import { type Diagnostic, diagnostic } from '../../core/diagnostic.ts';
import type { Place } from '../../core/model.ts';
import { fail } from '../failure.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks a server's address: https, or http on loopback; no credentials, query or fragment; a trailing slash is dropped.
 * `place` is where it is written, if it is not the flag `--url`.
 */
export function parseServerUrl(written: string | undefined, place?: Place): URL {
  if (written === undefined) {
    const hint = 'Pass --url https://integrations.example.com';
    return fail(diagnostic('usage', { problem: 'No server was named.', hint }));
  }
  const found = problemOfUrl(written, place);
  if (found !== undefined) return fail(found);
  const url = new URL(written);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** What is wrong with a server's address; undefined where it can be used. */
export function problemOfUrl(written: string, place?: Place): Diagnostic | undefined {
  const problem = URL.canParse(written) ? problemOf(new URL(written)) : NO_ADDRESS;
  if (problem === undefined) return undefined;
  const subject = place === undefined ? 'The --url' : 'The url';
  return diagnostic('bad-url', { problem: `${subject} ${problem}` }, place);
}

/** Whether an address is this machine's own. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

const NO_ADDRESS = 'is not an http or https address, such as https://integrations.example.com.';

function problemOf(url: URL): string | undefined {
  if (!/^https?:$/.test(url.protocol)) return NO_ADDRESS;
  if (url.username !== '' || url.password !== '') {
    return 'must not hold credentials; set SETPOINT_USERNAME and SETPOINT_PASSWORD.';
  }
  if (url.search !== '' || url.hash !== '') return 'must not hold a query or fragment.';
  if (url.protocol === 'http:' && !isLoopback(url))
    return 'must begin with https://; http is for loopback only.';
  return undefined;
}
