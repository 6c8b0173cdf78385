import type { Project, ProjectServer } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import type { Loosened } from '../findings/usage.ts';
import { RISK_NAMES, strictest, treatmentOf } from '../plan/risk.ts';

/** What a project loosens in its policy, its waivers, and where credentials go; a finding each. */
export function loosenedIn(
  before: Project | undefined,
  after: Project | undefined,
): Diagnostic[] {
  const loosened = [
    ...policyIn(before, after),
    ...waiversIn(before, after),
    ...serversIn(before, after),
  ];
  return loosened
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .map((difference) => diagnostic('loosened', difference));
}

function policyIn(
  before: Project | undefined,
  after: Project | undefined,
): Loosened[] {
  const was = before?.policy ?? {};
  const is = after?.policy ?? {};
  const strict = strictest([is, was]);
  const differences: Loosened[] = [];
  for (const risk of RISK_NAMES) {
    if (treatmentOf(is, risk) === treatmentOf(strict, risk)) continue;
    const pointer = `policy/${risk}`;
    differences.push({ pointer, was: was[risk], is: is[risk] });
  }
  const oldest = { was: before?.secretMaxAge, is: after?.secretMaxAge };
  const never = Number.POSITIVE_INFINITY;
  if ((oldest.is ?? never) > (oldest.was ?? never)) {
    const pointer = 'policy/secret-max-age';
    const ages = { was: daysText(oldest.was), is: daysText(oldest.is) };
    differences.push({ pointer, ...ages });
  }
  return differences;
}

function daysText(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `${days}d`;
}

function waiversIn(
  before: Project | undefined,
  after: Project | undefined,
): Loosened[] {
  const ends = waiverEnds(before);
  const differences: Loosened[] = [];
  for (const [pointer, is] of waiverEnds(after)) {
    const was = ends.get(pointer);
    if (is > (was ?? '')) differences.push({ pointer, was, is });
  }
  return differences;
}

/** The last day of each waiver, by its pointer. */
function waiverEnds(project: Project | undefined): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { address, server, until } of project?.waivers ?? []) {
    const on = server === undefined ? '' : ` on ${server.text}`;
    ends.set(`waivers/${address}${on}`, `until ${until}`);
  }
  return ends;
}

/** The servers that are new or gone, and those that get credentials at another address or by another authority. */
function serversIn(
  before: Project | undefined,
  after: Project | undefined,
): Loosened[] {
  const bases = serversByName(before);
  const heads = serversByName(after);
  const differences: Loosened[] = [];
  for (const name of new Set([...bases.keys(), ...heads.keys()])) {
    const base = bases.get(name);
    const head = heads.get(name);
    const was = base && plainAddress(base.url.text);
    const is = head && plainAddress(head.url.text);
    const isOnBoth = base !== undefined && head !== undefined;
    const pointer = `servers/${name}`;
    const address = isOnBoth ? `${pointer}/url` : pointer;
    if (was !== is) differences.push({ pointer: address, was, is });
    const tls = { was: base?.caFile?.text, is: head?.caFile?.text };
    if (isOnBoth && tls.was !== tls.is) {
      differences.push({ pointer: `${pointer}/tls`, ...tls });
    }
  }
  return differences;
}

function serversByName(
  project: Project | undefined,
): ReadonlyMap<string, ProjectServer> {
  const servers = project?.servers ?? [];
  return new Map(servers.map((server) => [server.name, server]));
}
