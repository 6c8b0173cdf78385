import { type Checked, diagnostic } from '../core/findings/diagnostic.ts';
import { decodeIntegrations } from '../core/live/integration.ts';
import { wholeList } from '../core/live/pages.ts';
import { decodeDocument } from '../core/live/resource.ts';
import { completed } from '../core/live/sources.ts';
import type { LiveIntegration } from '../core/model/live.ts';

/**
 * Decodes all answers to `GET /api/integrations?page[size]=100`, and any to `GET /api/integrations/ID`: some servers have the
 * values of options only there. A list that may go on is an error.
 */
export function decode(
  pages: readonly unknown[],
  details: readonly unknown[] = [],
): Checked<readonly LiveIntegration[]> {
  const [list, more] = [pages, details].map((bodies) => bodies.map(decodeDocument));
  const problem = [list, more].flat().find((each) => typeof each === 'string');
  if (problem !== undefined) return { diagnostics: [diagnostic('bad-answer', { problem })] };
  const documents = list?.filter((each) => typeof each !== 'string') ?? [];
  const incomplete = wholeList(documents);
  if (typeof incomplete === 'string')
    return { diagnostics: [diagnostic('incomplete-read', { list: 'integrations', problem: incomplete })] };
  const detailed = (more ?? []).flatMap((each) => (typeof each === 'string' ? [] : decodeIntegrations(each)));
  const known = new Map(detailed.map((each) => [each.id, each]));
  const value = documents.flatMap((document) => decodeIntegrations(document));
  return { value: value.map((each) => completed(each, known.get(each.id) ?? each)), diagnostics: [] };
}
