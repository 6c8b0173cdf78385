import type { Project } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import { type Policy, RISK_NAMES, type Risk, strengthOf } from '../plan/risk.ts';

/** What setpoint.yaml says at one pointer; undefined if it says nothing there. */
type Said = string | undefined;

/** Which pointers loosen something, and when. Those of a server count only if it was there before. */
const LOOSER: readonly (readonly [pointer: RegExp, isLooser: (before: Said, after: Said) => boolean])[] = [
  [/^policy\/secret-max-age$/, (before, after) => daysOf(after) > daysOf(before)],
  ...RISK_NAMES.map((risk): (typeof LOOSER)[number] => [
    new RegExp(`^policy/${risk}$`),
    (before, after) => strengthOf(treated(risk, after), risk) < strengthOf(treated(risk, before), risk),
  ]),
  [/^waivers\//, (before = '', after = '') => after > before],
  [/^servers\/[^/]+\/url$/, (before = '', after = '') => plainAddress(before) !== plainAddress(after)],
  [/^servers\/[^/]+\/tls$/, (before, after) => before !== after],
  [/^servers\/[^/]+$/, (before, after) => (before === undefined) !== (after === undefined)],
];

/** What a project loosens in its policy, its waivers, and where credentials go; one sentence each. */
export function loosenedIn(before: Project | undefined, after: Project | undefined): readonly string[] {
  const [was, is] = [pointersOf(before), pointersOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].sort(compareText).flatMap((pointer) => {
    const [one, other] = [was.get(pointer), is.get(pointer)];
    const server = /^(servers\/[^/]+)\//.exec(pointer)?.[1];
    if (server !== undefined && !(was.has(server) && is.has(server))) return [];
    const [, isLooser] = LOOSER.find(([form]) => form.test(pointer)) ?? [];
    return isLooser?.(one, other) === true
      ? [`${pointer}: ${one ?? 'not set'} -> ${other ?? 'not set'}`]
      : [];
  });
}

function pointersOf(project: Project | undefined): ReadonlyMap<string, string> {
  if (project === undefined) return new Map();
  const { policy, secretMaxAge, waivers, servers } = project;
  return new Map([
    ...Object.entries(policy).map(([risk, treatment]): [string, string] => [`policy/${risk}`, treatment]),
    ...(secretMaxAge === undefined ? [] : ([['policy/secret-max-age', `${secretMaxAge}d`]] as const)),
    ...waivers.map(({ address, server, until }): [string, string] => [
      `waivers/${address}${server === undefined ? '' : ` on ${server.text}`}`,
      `until ${until}`,
    ]),
    ...servers.flatMap(({ name, url, caFile }): [string, string][] => [
      [`servers/${name}`, url.text],
      [`servers/${name}/url`, url.text],
      ...(caFile === undefined ? [] : [[`servers/${name}/tls`, caFile.text] as [string, string]]),
    ]),
  ]);
}

/** A policy that says this of one risk. */
function treated(risk: Risk, said: Said): Policy {
  return { [risk]: said };
}

function daysOf(age: Said): number {
  return age === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(age, 10);
}
