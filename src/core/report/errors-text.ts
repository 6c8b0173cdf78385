import type { IntegrationError } from '../live/integration-error.ts';
import { count } from './count.ts';
import { forTerminal } from './escape.ts';
import type { Paint } from './paint.ts';

/** Integration errors for a person, the latest last. Ends with a newline. */
export function renderErrors(errors: readonly IntegrationError[], paint: Paint): string {
  const blocks = errors.flatMap(({ occurredOn, integration, status, code, title, detail, ...error }) => {
    const facts = `${count(error.count, 'time')}${status === null ? '' : `, HTTP ${status}`}`;
    const words = [...new Set([code, title, detail])].filter((word) => word !== '');
    return [
      `${forTerminal(occurredOn)}  ${paint.strong(forTerminal(integration))}  (${facts})`,
      ...words.map((word) => `  ${forTerminal(word)}`),
    ];
  });
  const space = blocks.length > 0 ? [''] : [];
  return [...blocks, ...space, `${count(errors.length, 'integration error')}.`, ''].join('\n');
}
