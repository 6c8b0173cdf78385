import type { Project } from '../config/project.ts';
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
  const loosened: Loosened[] = [];
  const policies = { was: before?.policy ?? {}, is: after?.policy ?? {} };
  const strict = strictest([policies.is, policies.was]);
  for (const risk of RISK_NAMES) {
    const { was, is } = policies;
    if (treatmentOf(is, risk) === treatmentOf(strict, risk)) continue;
    const pointer = `policy/${risk}`;
    loosened.push({ pointer, was: was[risk], is: is[risk] });
  }
  const oldest = { was: before?.secretMaxAge, is: after?.secretMaxAge };
  const never = Number.POSITIVE_INFINITY;
  if ((oldest.is ?? never) > (oldest.was ?? never)) {
    const pointer = 'policy/secret-max-age';
    const ages = { was: daysText(oldest.was), is: daysText(oldest.is) };
    loosened.push({ pointer, ...ages });
  }
  const waivers = { was: waiversIn(before), is: waiversIn(after) };
  for (const [pointer, is] of waivers.is) {
    const was = waivers.was.get(pointer);
    if (is > (was ?? '')) loosened.push({ pointer, was, is });
  }
  const origins = { was: originsIn(before), is: originsIn(after) };
  for (const pointer of new Map([...origins.was, ...origins.is]).keys()) {
    const was = origins.was.get(pointer);
    const is = origins.is.get(pointer);
    if (was !== is) loosened.push({ pointer, was, is });
  }
  return loosened
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .map((difference) => diagnostic('loosened', difference));
}

function daysText(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `${days}d`;
}

/** The last day of each waiver, by its pointer. */
function waiversIn(project: Project | undefined): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { address, server, until } of project?.waivers ?? []) {
    const on = server === undefined ? '' : ` on ${server.text}`;
    ends.set(`waivers/${address}${on}`, `until ${until}`);
  }
  return ends;
}

/** Where credentials go, and which authority vouches for that, by pointers. */
function originsIn(project: Project | undefined): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  for (const { name, url, caFile } of project?.servers ?? []) {
    origins.set(`servers/${name}/url`, plainAddress(url.text));
    if (caFile !== undefined) origins.set(`servers/${name}/tls`, caFile.text);
  }
  return origins;
}
