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
  const loosened = serversIn(before, after);
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
  const ends = waiverEnds(before);
  for (const [pointer, is] of waiverEnds(after)) {
    const was = ends.get(pointer);
    if (is > (was ?? '')) loosened.push({ pointer, was, is });
  }
  return loosened
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .map((difference) => diagnostic('loosened', difference));
}

function daysText(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `${days}d`;
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
  const bases = new Map(before?.servers.map((base) => [base.name, base]));
  const heads = new Map(after?.servers.map((head) => [head.name, head]));
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
