import { checkServerUrl } from '../../core/config/server-url.ts';
import { fail, failUsage } from '../failure.ts';

/** Checks the address in `--url`; fails if there is none, or if it cannot be used. */
export function parseServerUrl(text: string | undefined): URL {
  if (text === undefined)
    return failUsage('No server was named.', 'Pass --url https://integrations.example.com');
  const { value, diagnostics } = checkServerUrl(text);
  return value ?? fail(...diagnostics);
}
