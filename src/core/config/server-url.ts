import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { isLoopback } from '../model/loopback.ts';
import type { Place } from '../model/place.ts';

/**
 * Checks a server's address: https, or http on loopback; no credentials, query or fragment; a trailing slash is dropped.
 * `place` is where it is written, if it is not the flag `--url`.
 */
export function checkServerUrl(text: string, place?: Place): Checked<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = problemOf(text, url);
  if (url === undefined || problem !== undefined) {
    const subject = place === undefined ? '--url' : 'This URL';
    return {
      diagnostics: [
        diagnostic('bad-url', { problem: `${subject} ${problem}` }, place),
      ],
    };
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url, diagnostics: [] };
}

function problemOf(text: string, url: URL | undefined): string | undefined {
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

/** An address in one form: the case of the host, the usual port and final slashes make no difference. */
export function plainAddress(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url.toLowerCase()).replace(
    /\/+$/,
    '',
  );
}

/**
 * Refuses the servers that only the YAML names, if strangers may have written it: if CI is set, or a list of allowed origins.
 * `urlPlace` is where the YAML names the address; absent if somebody outside it did.
 */
export function refusedOrigins(
  servers: readonly {
    readonly url: URL;
    readonly urlPlace?: Place | undefined;
  }[],
  env: Readonly<Record<string, string | undefined>>,
): Diagnostic[] {
  const list = (env['SETPOINT_ALLOWED_ORIGINS'] ?? '').trim();
  if (list === '' && /^(false|0)?$/i.test((env['CI'] ?? '').trim())) return [];
  const listed = list
    .split(/[\s,]+/)
    .filter((text) => plainAddress(text) === originOf(text));
  const allowed = new Set([...listed, env['SETPOINT_URL'] ?? ''].map(originOf));
  return servers.flatMap(({ url: { origin }, urlPlace }) =>
    urlPlace === undefined || allowed.has(origin)
      ? []
      : [diagnostic('origin-not-allowed', { origin }, urlPlace)],
  );
}

/** The origin of an address, in its one spelling; empty for other texts. */
function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : '';
}
