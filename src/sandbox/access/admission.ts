import type { SandboxSettings } from '../settings.ts';
import { Refusal, refusal } from '../wire/refusal.ts';

/** Refuses a request for its turn (429) or for what it accepts (406), as the settings say; counts every request. */
export function createAdmission({ refuseEvery, retryAfter, accept }: SandboxSettings) {
  const requests = { count: 0 };
  return (headers: Headers): Refusal | undefined => {
    requests.count += 1;
    if (refuseEvery > 0 && requests.count % refuseEvery === 0) return tooMany(retryAfter);
    return accept === 'any' || acceptsJson(headers.get('accept') ?? '*/*')
      ? undefined
      : refusal(406, 'Answers are application/json alone.', { header: 'Accept' });
  };
}

function tooMany(retryAfter: SandboxSettings['retryAfter']): Refusal {
  const headers = retryAfter === 'absent' ? {} : { 'retry-after': retryAfter };
  return new Refusal(429, [{ detail: 'These are too many requests.' }], { headers });
}

/** Whether one of the accepted types is JSON; weights are not looked at. */
function acceptsJson(accept: string): boolean {
  return accept.split(',').some((range) => /^\s*(application\/(json|\*)|\*\/\*)\s*(;|$)/i.test(range));
}
