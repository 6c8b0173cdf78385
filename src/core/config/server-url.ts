import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { isLoopback } from '../model/loopback.ts';
import type { Place } from '../model/place.ts';

/**
 * Checks a server's address: https, or http on loopback; no credentials, query
 * or fragment. A trailing slash is dropped. `place` is absent for `--url`.
 */
export function checkServerUrl(text: string, place?: Place): Checked<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const flaw = flawOf(text, url);
  if (url === undefined || flaw !== undefined) {
    const subject = place === undefined ? '--url' : 'This URL';
    const problem = `${subject} ${flaw}`;
    return { diagnostics: [diagnostic('bad-url', { problem }, place)] };
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url, diagnostics: [] };
}

/** The end of a sentence about an address; undefined if it can be used. */
function flawOf(text: string, url: URL | undefined): string | undefined {
  if (text.includes('${'))
    return 'cannot contain a reference: it is read without the environment and files.';
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'is not an http or https address, such as https://integrations.example.com.';
  if (url.username !== '' || url.password !== '')
    return 'must not contain credentials; set SETPOINT_USERNAME and SETPOINT_PASSWORD.';
  if (url.search !== '' || url.hash !== '')
    return 'must end before a ? or #, which belong to a page.';
  if (url.protocol === 'http:' && !isLoopback(url))
    return 'must begin with https://; plain http is for loopback only.';
  return undefined;
}

/** An address in one form: host case, usual port and slashes do not count. */
export function plainAddress(url: string): string {
  const text = URL.canParse(url) ? new URL(url).href : url.toLowerCase();
  return text.replace(/\/+$/, '');
}

interface AddressedServer {
  url: URL;
  /** Where the YAML names it; absent if somebody outside of it did. */
  urlPlace?: Place | undefined;
}

/**
 * Refuses the servers that only the YAML names, if strangers may have written
 * it: if CI is set, or a list of allowed origins.
 */
export function refusedOrigins(
  servers: readonly AddressedServer[],
  env: Readonly<Record<string, string | undefined>>,
): Diagnostic[] {
  const list = (env['SETPOINT_ALLOWED_ORIGINS'] ?? '').trim();
  const ci = (env['CI'] ?? '').trim();
  if (list === '' && /^(false|0)?$/i.test(ci)) return [];
  const allowed = new Set([originOf(env['SETPOINT_URL'] ?? '')]);
  for (const text of list.split(/[\s,]+/))
    if (plainAddress(text) === originOf(text)) allowed.add(originOf(text));
  const findings: Diagnostic[] = [];
  for (const { url, urlPlace } of servers) {
    const { origin } = url;
    if (urlPlace === undefined || allowed.has(origin)) continue;
    findings.push(diagnostic('origin-not-allowed', { origin }, urlPlace));
  }
  return findings;
}

/** The origin of an address, in its one spelling; empty for other texts. */
function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : '';
}
