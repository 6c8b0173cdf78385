import type { IntegrationError } from '../live/integration-error.ts';
import { forTerminal } from './escape.ts';
import type { Paint } from './paint.ts';
import { count } from './plan-text.ts';

/** Integration errors for a person, the latest last. Ends with a newline. */
export function renderErrors(errors: readonly IntegrationError[], paint: Paint): string {
  const blocks = errors.flatMap((error) => {
    const facts = [count(error.count, 'time'), ...(error.status === null ? [] : [`HTTP ${error.status}`])];
    const words = [...new Set([error.code, error.title, error.detail])].filter((word) => word !== '');
    return [
      `${forTerminal(error.occurredOn)}  ${paint.strong(forTerminal(error.integration))}  (${facts.join(', ')})`,
      ...words.map((word) => `  ${forTerminal(word)}`),
    ];
  });
  return [
    ...blocks,
    ...(blocks.length > 0 ? [''] : []),
    `${count(errors.length, 'integration error')}.`,
    '',
  ].join('\n');
}
