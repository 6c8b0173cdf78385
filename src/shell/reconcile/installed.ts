import type { Matched } from '../../core/match/match.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { InstalledReader } from '../sources/snapshot.ts';

/** What a server lists, and what the configuration asks of it. */
interface Installed {
  readonly listed: readonly LiveIntegration[];
  readonly matched: Matched;
}

/** Reads what is installed and matches it. An integration may move between two pages: what none has is looked for once more. */
export async function readInstalled(
  reader: InstalledReader,
  match: (live: readonly LiveIntegration[]) => Matched,
): Promise<Installed> {
  const listed = await reader.list();
  const matched = match(listed);
  const isMissed = matched.unmet.some(({ finding }) => finding.code === 'no-match');
  if (!reader.isPaged || !isMissed) return { listed, matched };
  const again = await reader.list();
  return { listed: again, matched: match(again) };
}
