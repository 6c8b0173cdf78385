import type { Fault } from './faults.ts';
import type { Seeded } from './seeded.ts';

/** How a client must see a fault: as no usable answer, or as an answer that says something. */
type FaultClass = 'unclear' | '401' | '403' | '429' | 'long wait';

export interface NamedFault {
  readonly name: string;
  readonly class: FaultClass;
  /** The forms that it may take; a seed picks one. */
  readonly forms: readonly Fault[];
  /** Whether it takes the time of a request until it is noticed. */
  readonly isSlow?: boolean;
}

const HTML = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><title>Sign in</title><p>canary of a page</p>';
const ERRORS: Readonly<Record<string, string>> = { 'content-type': 'application/vnd.api+json' };
const tooMany = (after?: string) => ({
  status: 429,
  headers: after === undefined ? ERRORS : { ...ERRORS, 'retry-after': after },
  body: '{"errors":[{"title":"Too many requests"}]}',
});

/** Both a failure before and one after the service has acted. */
const failing = (status: number, headers = ERRORS, body = '{"errors":[{"title":"Broken"}]}') => [
  { status, headers, body },
  { status, headers, body, acted: true },
];

/** Everything that goes wrong in one request, but for refused connections, which need a proxy that is gone. */
export const FAULTS: readonly NamedFault[] = [
  { name: 'reset before', class: 'unclear', forms: ['reset'] },
  { name: 'reset after', class: 'unclear', forms: ['reset-after'] },
  { name: 'silent', class: 'unclear', forms: ['silence', 'silence-after'], isSlow: true },
  { name: 'drip', class: 'unclear', forms: ['drip', 'drip-headers'], isSlow: true },
  { name: 'truncated', class: 'unclear', forms: ['truncated'] },
  { name: 'no HTTP', class: 'unclear', forms: ['no-http'] },
  { name: 'wrong length', class: 'unclear', forms: ['too-short', 'too-long'] },
  { name: 'HTML with 200', class: 'unclear', forms: failing(200, HTML, PAGE) },
  { name: 'HTML with 502', class: 'unclear', forms: failing(502, HTML, PAGE) },
  { name: '401', class: '401', forms: [{ status: 401, headers: ERRORS, body: '{"errors":[]}' }] },
  { name: '403', class: '403', forms: [{ status: 403, headers: ERRORS, body: '{"errors":[]}' }] },
  { name: '429', class: '429', forms: [tooMany()] },
  { name: '429 with Retry-After', class: '429', forms: [tooMany('7'), tooMany('60')] },
  { name: '429 with a long Retry-After', class: 'long wait', forms: [tooMany('61'), tooMany('86400')] },
  { name: '500', class: 'unclear', forms: failing(500) },
  { name: '503', class: 'unclear', forms: failing(503, { ...ERRORS, 'retry-after': '2' }) },
  { name: 'wrong media type', class: 'unclear', forms: ['text'] },
];

const ACTING = new Set<Fault>(['reset-after', 'silence-after', 'truncated', 'too-short', 'too-long', 'text']);

/** Whether the service has acted on a request that met this fault. */
export function hasActed(fault: Fault): boolean {
  if (typeof fault === 'string') return ACTING.has(fault);
  return 'rewrite' in fault || ('acted' in fault && fault.acted === true);
}

/** A server that refuses for good, or asks for more patience than a run has. */
const FINAL = new Set<FaultClass>(['403', 'long wait']);

/**
 * Any fault in any form; slow ones more seldom, so that many draws do not take long. Without `final` none after which a
 * run has to give up.
 */
export function anyFault({ pick, random }: Seeded, final: boolean): Fault {
  const isQuick = random() < 0.7;
  const named = FAULTS.filter(
    (each) => !(isQuick && each.isSlow === true) && (final || !FINAL.has(each.class)),
  );
  const { forms } = pick([...named, { forms: ['last-answer'] as const }]);
  return pick<Fault>(forms);
}
