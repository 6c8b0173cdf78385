import type { Project, ProjectServer } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import { RISK_NAMES, strictest, treatmentOf } from '../plan/risk.ts';

/** What setpoint.yaml says at a pointer, at both revisions; undefined if it says nothing there. */
interface Difference {
  readonly pointer: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a project loosens in its policy, its waivers, and where credentials go; one sentence each. */
export function loosenedIn(
  before: Project | undefined,
  after: Project | undefined,
): readonly string[] {
  const differences = [
    ...policyDifferences(before, after),
    ...waiverDifferences(before, after),
    ...serverDifferences(before, after),
  ];
  differences.sort((a, b) => compareText(a.pointer, b.pointer));
  return differences.map(sentence);
}

function sentence(difference: Difference): string {
  const { pointer, before = 'not set', after = 'not set' } = difference;
  return `${pointer}: ${before} -> ${after}`;
}

function policyDifferences(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const { policy: was = {}, secretMaxAge: oldAge } = before ?? {};
  const { policy: now = {}, secretMaxAge: newAge } = after ?? {};
  const differences: Difference[] = [];
  const kept = strictest([now, was]);
  for (const risk of RISK_NAMES) {
    const isLooser = treatmentOf(now, risk) !== treatmentOf(kept, risk);
    if (!isLooser) continue;
    const pointer = `policy/${risk}`;
    differences.push({ pointer, before: was[risk], after: now[risk] });
  }
  if (ageLimit(newAge) > ageLimit(oldAge)) {
    const pointer = 'policy/secret-max-age';
    const ages = { before: daysText(oldAge), after: daysText(newAge) };
    differences.push({ pointer, ...ages });
  }
  return differences;
}

/** Without a limit, a secret may have any age. */
function ageLimit(days: number | undefined): number {
  return days ?? Number.POSITIVE_INFINITY;
}

function daysText(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `${days}d`;
}

function waiverDifferences(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const was = waiverEnds(before);
  const differences: Difference[] = [];
  for (const [pointer, end] of waiverEnds(after)) {
    const oldEnd = was.get(pointer);
    const isLonger = end > (oldEnd ?? '');
    if (isLonger) differences.push({ pointer, before: oldEnd, after: end });
  }
  return differences;
}

/** How long each waiver holds, by its pointer. */
function waiverEnds(project: Project | undefined): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { address, server, until } of project?.waivers ?? []) {
    const on = server === undefined ? '' : ` on ${server.text}`;
    ends.set(`waivers/${address}${on}`, `until ${until}`);
  }
  return ends;
}

/** The servers that are new or gone, and those that get credentials at another address or by another authority. */
function serverDifferences(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const bases = serversByName(before);
  const heads = serversByName(after);
  const differences: Difference[] = [];
  for (const name of new Set([...bases.keys(), ...heads.keys()])) {
    const pointer = `servers/${name}`;
    const was = bases.get(name);
    const now = heads.get(name);
    if (was !== undefined && now !== undefined) {
      differences.push(...accessDifferences(pointer, was, now));
      continue;
    }
    const urls = { before: was?.url.text, after: now?.url.text };
    differences.push({ pointer, ...urls });
  }
  return differences;
}

function serversByName(
  project: Project | undefined,
): ReadonlyMap<string, ProjectServer> {
  const servers = new Map<string, ProjectServer>();
  for (const server of project?.servers ?? []) servers.set(server.name, server);
  return servers;
}

/** Where the credentials of a server go, if that differs. */
function accessDifferences(
  pointer: string,
  was: ProjectServer,
  now: ProjectServer,
): Difference[] {
  const differences: Difference[] = [];
  if (plainAddress(was.url.text) !== plainAddress(now.url.text)) {
    const urls = { before: was.url.text, after: now.url.text };
    differences.push({ pointer: `${pointer}/url`, ...urls });
  }
  const files = { before: was.caFile?.text, after: now.caFile?.text };
  if (files.before !== files.after) {
    differences.push({ pointer: `${pointer}/tls`, ...files });
  }
  return differences;
}
