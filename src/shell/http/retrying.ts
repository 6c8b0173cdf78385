import { diagnostic } from '../../core/diagnostic.ts';
import { decideRetry, type Ending, type Purpose } from '../../core/retry.ts';
import { ExchangeError } from './exchange-error.ts';
import { Limiter } from './limiter.ts';
import { type Answer, type Request, requestName, type Transport } from './transport.ts';

/** What retries need of the world around them. */
export interface RetryContext {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, aborted: AbortSignal) => Promise<void>;
  /** The retries that the run has left; shared by all its servers. */
  readonly quota: { left: number };
  readonly concurrency: number;
  readonly onRetry: (text: string) => void;
}

/** A transport that tries again where that is safe, and slows down when the server asks for it. */
export function retrying(transport: Transport, context: RetryContext): Transport {
  const limiter = new Limiter(context.concurrency);
  return {
    send: (request, aborted) => sendAgain(transport, limiter, context, request, aborted),
    close: transport.close,
  };
}

/** What one attempt gave: an answer, or the error that took its place. */
type Outcome = { readonly answer: Answer } | { readonly error: ExchangeError };

async function sendAgain(
  transport: Transport,
  limiter: Limiter,
  context: RetryContext,
  request: Request,
  aborted: AbortSignal,
  number = 1,
): Promise<Answer> {
  const outcome = await limiter.run(() => attempt(transport, request, aborted));
  if ('answer' in outcome && outcome.answer.status === 429) limiter.slowDown();
  else if ('answer' in outcome) limiter.succeeded();
  const { quota, random, now } = context;
  const ending = endingOf(outcome);
  const decision = decideRetry({
    purpose: purposeOf(request),
    number,
    ending,
    quota: quota.left,
    random: random(),
    now: now(),
  });
  if (decision.kind === 'too-long') {
    const facts = { request: requestName(request), seconds: decision.seconds };
    throw new ExchangeError(
      'refused',
      diagnostic('asked-to-wait', facts),
      ending.kind === 'answered' ? ending.status : undefined,
    );
  }
  if (decision.kind === 'take' || aborted.aborted) return taken(outcome);
  quota.left -= 1;
  context.onRetry(`${requestName(request)}: again in ${Math.round(decision.milliseconds)} ms`);
  await context.sleep(decision.milliseconds, aborted);
  return aborted.aborted
    ? taken(outcome)
    : sendAgain(transport, limiter, context, request, aborted, number + 1);
}

async function attempt(transport: Transport, request: Request, aborted: AbortSignal): Promise<Outcome> {
  try {
    return { answer: await transport.send(request, aborted) };
  } catch (thrown) {
    if (thrown instanceof ExchangeError) return { error: thrown };
    throw thrown;
  }
}

function taken(outcome: Outcome): Answer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

function endingOf(outcome: Outcome): Ending {
  if ('error' in outcome) return { kind: 'failed', phase: outcome.error.phase };
  const { status, headers } = outcome.answer;
  const header = headers['retry-after'];
  return typeof header === 'string'
    ? { kind: 'answered', status, retryAfter: header }
    : { kind: 'answered', status };
}

function purposeOf({ method, path }: Request): Purpose {
  if (method === 'GET') return 'read';
  if (path === '/api/users/login') return 'login';
  return path === '/api/users/logout' ? 'logout' : 'write';
}
