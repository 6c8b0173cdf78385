import type { Project } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import { RISK_NAMES, strictest, treatmentOf } from '../plan/risk.ts';

/** What setpoint.yaml says at a pointer, at both revisions; undefined if it says nothing there. */
interface Difference {
  readonly pointer: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** What a project loosens in its policy, its waivers, and where credentials go; one sentence each. */
export function loosenedIn(
  before: Project | undefined,
  after: Project | undefined,
): readonly string[] {
  const loosened = [
    ...policyIn(before, after),
    ...waiversIn(before, after),
    ...serversIn(before, after),
  ];
  return loosened
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .map(sentenceOf);
}

function sentenceOf({ pointer, was, is }: Difference): string {
  return `${pointer}: ${was ?? 'not set'} -> ${is ?? 'not set'}`;
}

function policyIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const was = before?.policy ?? {};
  const is = after?.policy ?? {};
  const strict = strictest([is, was]);
  const differences: Difference[] = [];
  for (const risk of RISK_NAMES) {
    if (treatmentOf(is, risk) === treatmentOf(strict, risk)) continue;
    const pointer = `policy/${risk}`;
    differences.push({ pointer, was: was[risk], is: is[risk] });
  }
  return [...differences, ...secretAgeIn(before, after)];
}

function secretAgeIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const was = before?.secretMaxAge;
  const is = after?.secretMaxAge;
  const isOlder =
    (is ?? Number.POSITIVE_INFINITY) > (was ?? Number.POSITIVE_INFINITY);
  if (!isOlder) return [];
  const pointer = 'policy/secret-max-age';
  return [{ pointer, was: daysText(was), is: daysText(is) }];
}

function daysText(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `${days}d`;
}

function waiversIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const ends = waiverEnds(before);
  const differences: Difference[] = [];
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
): Difference[] {
  const bases = serversByName(before);
  const heads = serversByName(after);
  const differences: Difference[] = [];
  for (const name of new Set([...bases.keys(), ...heads.keys()])) {
    const pointer = `servers/${name}`;
    const base = bases.get(name);
    const head = heads.get(name);
    const was = base && plainAddress(base.url.text);
    const is = head && plainAddress(head.url.text);
    if (base === undefined || head === undefined) {
      differences.push({ pointer, was, is });
      continue;
    }
    if (was !== is) {
      differences.push({ pointer: `${pointer}/url`, was, is });
    }
    const authority = { was: base.caFile?.text, is: head.caFile?.text };
    if (authority.was !== authority.is) {
      differences.push({ pointer: `${pointer}/tls`, ...authority });
    }
  }
  return differences;
}

type ProjectServer = Project['servers'][number];

function serversByName(
  project: Project | undefined,
): ReadonlyMap<string, ProjectServer> {
  const servers = project?.servers ?? [];
  return new Map(servers.map((server) => [server.name, server]));
}
