import { selectorOf } from '../../core/config/entry.ts';
import { LiveIndex } from '../../core/match/live-index.ts';
import type { Matched } from '../../core/match/match.ts';
import { literalStart } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { IntegrationPlan, ServerPlan } from '../../core/plan/plan.ts';
import type { InstalledReader } from '../sources/snapshot.ts';

type Live = readonly LiveIntegration[];

/** What a server lists, and what the configuration asks of it. */
interface Installed {
  readonly listed: Live;
  readonly matched: Matched;
}

/**
 * Reads what is installed and matches it. An integration that moves between two pages while they are read is in neither, and
 * the total need not tell: what an entry selects or a reviewed plan changes, and no page had, is looked for before it is
 * absent. Nothing tells what defaults and optional entries miss: the next run finds it.
 */
export async function readInstalled(
  reader: InstalledReader,
  match: (live: Live) => Matched,
  reviewed: ServerPlan<null> | undefined,
): Promise<Installed> {
  const listed = await reader.list();
  const first = { listed, matched: match(listed) };
  const ids = unseenIds(first, reviewed);
  if (!reader.isPaged || ids.length === 0) return first;
  const found = ids.every(isExact) ? await reader.byId(ids) : undefined;
  if (found?.length === 0) return first;
  // Either the list has proven to lack something, or only the list can tell.
  const again = await reader.list();
  const second = { listed: again, matched: match(again) };
  const all = [...again, ...unseenOf(second, reviewed, [...listed, ...(found ?? [])])];
  return all.length === again.length ? second : { listed: all, matched: match(all) };
}

/** The globs on the ids of what is missing in the list; `*` where an entry selects by other attributes alone. */
function unseenIds({ listed, matched }: Installed, reviewed: ServerPlan<null> | undefined): string[] {
  const globs = missedEntries(matched).map((entry) => selectorOf(entry).id ?? '*');
  return [...new Set([...globs, ...missedReviews(listed, reviewed).map(({ id }) => id)])];
}

/** Those integrations of other readings that a list lacks and should have. */
function unseenOf(installed: Installed, reviewed: ServerPlan<null> | undefined, others: Live): Live {
  const ids = new Set(installed.listed.map(({ id }) => id));
  const unlisted = new Map(others.filter(({ id }) => !ids.has(id)).map((each) => [each.id, each]));
  const index = new LiveIndex([...unlisted.values()]);
  const selected = missedEntries(installed.matched).flatMap((entry) => index.found(selectorOf(entry)));
  const planned = missedReviews(installed.listed, reviewed).flatMap(({ id }) => unlisted.get(id) ?? []);
  return [...new Set([...selected, ...planned])];
}

function missedEntries({ unmet }: Matched) {
  return unmet.filter(({ finding }) => finding.code === 'no-match').map(({ entry }) => entry);
}

function missedReviews(listed: Live, reviewed: ServerPlan<null> | undefined): IntegrationPlan<null>[] {
  const ids = new Set(listed.map(({ id }) => id));
  return (reviewed?.integrations ?? []).filter(({ id, changes }) => changes.length > 0 && !ids.has(id));
}

function isExact(glob: string): boolean {
  return literalStart(glob) === glob;
}
