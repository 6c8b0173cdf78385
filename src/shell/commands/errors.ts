import { globMatcher } from '../../core/config/glob.ts';
import { compareText, diagnostic } from '../../core/diagnostic.ts';
import {
  decodeIntegrationError,
  type IntegrationError,
  occurredAt,
} from '../../core/live/integration-error.ts';
import { renderErrors } from '../../core/report/errors-text.ts';
import { type Scrub, scrubber } from '../../core/report/secret.ts';
import { type ConnectionOptions, withServer } from '../connection.ts';
import { readCredentials } from '../credentials.ts';
import { fail } from '../failure.ts';
import { parseServerUrl } from '../http/server-url.ts';
import { type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

export interface ErrorsOptions extends RunOptions, ConnectionOptions {
  readonly url?: string | undefined;
  readonly integration?: string | undefined;
  readonly since?: string | undefined;
}

/** Shows the integration errors that the server holds, of all or of some integrations, the latest last. */
export function errors(options: ErrorsOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run) => {
    const since = options.since === undefined ? undefined : parseSince(options.since, runtime.now());
    const target = {
      url: parseServerUrl(options.url),
      credentials: await readCredentials(run),
      mode: 'read',
    } as const;
    const document = await withServer(run, options, target, (api) => api.errors());
    const matches = globMatcher(options.integration ?? '*');
    const found = document.data
      .map(decodeIntegrationError)
      .filter((error) => matches(error.integration) && isSince(error, since))
      .sort((a, b) => compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id));
    const clean = found.map((error) => scrubbed(error, scrubber(run.secrets)));
    return {
      diagnostics: [],
      document: { servers: [{ name: target.url.host, url: target.url.origin, errors: clean }] },
      text: (paint) => renderErrors(clean, paint),
    };
  });
}

/** What a server tells of an error can hold what it was sent. */
function scrubbed(error: IntegrationError, scrub: Scrub): IntegrationError {
  return { ...error, code: scrub(error.code), title: scrub(error.title), detail: scrub(error.detail) };
}

/** An error whose time cannot be read is shown: leaving it out would hide it. */
function isSince(error: IntegrationError, since: number | undefined): boolean {
  const time = occurredAt(error);
  return since === undefined || time === undefined || time >= since;
}

const UNIT = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration back from now (`90m`, `24h`, `7d`) or an ISO 8601 date or time, in milliseconds since the epoch. */
function parseSince(written: string, now: number): number {
  const duration = /^(\d{1,6})([mhd])$/.exec(written);
  const unit = duration?.[2];
  if (duration !== null && (unit === 'm' || unit === 'h' || unit === 'd'))
    return now - Number(duration[1]) * UNIT[unit];
  const time = /^\d{4}-\d{2}-\d{2}/.test(written) ? Date.parse(written.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(time))
    fail(
      diagnostic('usage', {
        problem: 'The --since is neither a duration nor a date.',
        hint: 'Write 24h, 7d or 2026-01-31T12:00:00Z.',
      }),
    );
  return time;
}
