import type { Project } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { RISK_NAMES, strengthOf } from '../plan/risk.ts';

/** What setpoint.yaml says of something that an apply may do. */
interface Limit {
  pointer: string;
  /** Undefined if the file does not say it. */
  text: string | undefined;
  /** How much it lets pass; absent if any other text counts. */
  leeway?: number;
}

/**
 * What a project loosens in its policy, its waivers, and where credentials go;
 * a finding each.
 */
export function loosenedIn(
  before: Project | undefined,
  after: Project | undefined,
): Diagnostic[] {
  const earlier = limitsIn(before);
  const loosened: Diagnostic[] = [];
  for (const { pointer, text: is, leeway } of limitsIn(after)) {
    const limit = earlier.find((each) => each.pointer === pointer);
    const { text: was, leeway: least = Number.NEGATIVE_INFINITY } = limit ?? {};
    const isLooser = leeway === undefined ? is !== was : leeway > least;
    if (isLooser) loosened.push(diagnostic('loosened', { pointer, was, is }));
  }
  return loosened;
}

/** The limits of a project, ordered by pointer. */
function limitsIn(project: Project | undefined): Limit[] {
  const { policy = {}, secretMaxAge, waivers, servers } = project ?? {};
  const limits: Limit[] = RISK_NAMES.map((risk) => {
    const leeway = -strengthOf(policy, risk);
    return { pointer: `policy/${risk}`, text: policy[risk], leeway };
  });
  limits.push({
    pointer: 'policy/secret-max-age',
    text: secretMaxAge === undefined ? undefined : `${secretMaxAge}d`,
    leeway: secretMaxAge ?? Number.POSITIVE_INFINITY,
  });
  for (const { address, server, until } of waivers ?? []) {
    const on = server === undefined ? '' : ` on ${server.text}`;
    const pointer = `waivers/${address}${on}`;
    const leeway = Date.parse(until);
    limits.push({ pointer, text: `until ${until}`, leeway });
  }
  // Where credentials go, and which authority vouches for that.
  for (const { name, url, caFile } of servers ?? []) {
    const pointer = `servers/${name}`;
    limits.push({ pointer: `${pointer}/url`, text: plainAddress(url.text) });
    if (caFile === undefined) continue;
    limits.push({ pointer: `${pointer}/tls`, text: caFile.text });
  }
  return limits.sort((a, b) => compareText(a.pointer, b.pointer));
}
