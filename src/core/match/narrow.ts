import { literalStart } from '../model/glob.ts';
import { globOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { LiveIndex } from './live-index.ts';

/** The match that means one integration alone: a glob that outlasts an upgrade, else its id; undefined if neither does. */
export function narrowMatch({ id }: LiveIntegration, index: LiveIndex): string | undefined {
  if (literalStart(id) !== id) return undefined;
  return [globOfId(id), id].find((glob) => {
    const [first, ...others] = index.found({ id: glob });
    return first?.id === id && others.length === 0;
  });
}
