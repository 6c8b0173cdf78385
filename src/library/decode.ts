import { type Checked, diagnostic } from '../core/findings/diagnostic.ts';
import { decodeIntegrations, joinPages } from '../core/live/integration.ts';
import { completed } from '../core/live/sources.ts';
import type { LiveIntegration } from '../core/model/live.ts';

/**
 * Decodes all answers to `GET /api/integrations?page[size]=100`, and any to `GET /api/integrations/ID`: some servers have the
 * values of options only there. A list that may go on is an error: without a total its last page is an empty one.
 */
export function decode(
  pages: readonly unknown[],
  details: readonly unknown[] = [],
): Checked<readonly LiveIntegration[]> {
  const found = [pages, details].map((bodies) => bodies.map((body) => decodeIntegrations(body)));
  const problem = found.flat().find((each) => typeof each === 'string');
  if (problem !== undefined) return { diagnostics: [diagnostic('bad-answer', { problem })] };
  const [list = [], more = []] = found.map((each) => each.filter((page) => typeof page !== 'string'));
  const joined = joinPages(list);
  if (typeof joined === 'string')
    return { diagnostics: [diagnostic('incomplete-read', { list: 'integrations', problem: joined })] };
  const known = new Map(more.flatMap(({ items }) => items).map((each) => [each.id, each]));
  return { value: joined.map((each) => completed(each, known.get(each.id) ?? each)), diagnostics: [] };
}
