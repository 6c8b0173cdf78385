import { type Checked, diagnostic } from '../findings/diagnostic.ts';
import { isLoopback } from '../model/loopback.ts';
import type { Place } from '../model/place.ts';

/**
 * Checks a server's address: https, or http on loopback; no credentials, query or fragment; a trailing slash is dropped.
 * `place` is where it is written, if it is not the flag `--url`; a finding says what is wrong with its `subject`.
 */
export function checkServerUrl(
  text: string,
  place?: Place,
  subject = place === undefined ? '--url' : 'This URL',
): Checked<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = text.includes('${') ? REFERENCE : url === undefined ? NO_ADDRESS : problemOf(url);
  if (url === undefined || problem !== undefined) {
    return { diagnostics: [diagnostic('bad-url', { problem: `${subject} ${problem}` }, place)] };
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url, diagnostics: [] };
}

const NO_ADDRESS = 'is not an http or https address, such as https://integrations.example.com.';

const REFERENCE = 'cannot contain a reference: it is read without the environment and files.';

function problemOf(url: URL): string | undefined {
  if (!/^https?:$/.test(url.protocol)) return NO_ADDRESS;
  if (url.username !== '' || url.password !== '') {
    return 'must not contain credentials; set SETPOINT_USERNAME and SETPOINT_PASSWORD.';
  }
  if (url.search !== '' || url.hash !== '') return 'must end before a ? or #, which belong to a page.';
  if (url.protocol === 'http:' && !isLoopback(url))
    return 'must begin with https://; plain http is for loopback only.';
  return undefined;
}

/** The address of a server as a plan writes it. */
export function urlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}
