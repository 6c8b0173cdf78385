import type { Project } from '../config/project.ts';
import { plainAddress } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import { RISK_NAMES, strictest, treatmentOf } from '../plan/risk.ts';

/** What setpoint.yaml says at a pointer, at both revisions; undefined if it says nothing there. */
type Difference = readonly [
  pointer: string,
  before: string | undefined,
  after: string | undefined,
];

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
    .sort(([one], [other]) => compareText(one, other))
    .map(
      ([pointer, was = 'not set', is = 'not set']) =>
        `${pointer}: ${was} -> ${is}`,
    );
}

function policyIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const [was = {}, is = {}] = [before?.policy, after?.policy];
  const looser = RISK_NAMES.filter(
    (risk) => treatmentOf(is, risk) !== treatmentOf(strictest([is, was]), risk),
  );
  const [oldest, older] = [before?.secretMaxAge, after?.secretMaxAge];
  const isOlder =
    (older ?? Number.POSITIVE_INFINITY) > (oldest ?? Number.POSITIVE_INFINITY);
  const days = (age: number | undefined) =>
    age === undefined ? undefined : `${age}d`;
  return [
    ...looser.map(
      (risk): Difference => [`policy/${risk}`, was[risk], is[risk]],
    ),
    ...(isOlder
      ? [['policy/secret-max-age', days(oldest), days(older)] as const]
      : []),
  ];
}

function waiversIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const [was, is] = [waiverDays(before), waiverDays(after)];
  const longer = [...is].filter(
    ([pointer, until]) => until > (was.get(pointer) ?? ''),
  );
  return longer.map(([pointer, until]) => [pointer, was.get(pointer), until]);
}

function waiverDays(project: Project | undefined): ReadonlyMap<string, string> {
  const days = project?.waivers.map(
    ({ address, server, until }): [string, string] => [
      `waivers/${address}${server === undefined ? '' : ` on ${server.text}`}`,
      `until ${until}`,
    ],
  );
  return new Map(days);
}

/** The servers that are new or gone, and those that get credentials at another address or by another authority. */
function serversIn(
  before: Project | undefined,
  after: Project | undefined,
): Difference[] {
  const [all, others] = [before?.servers ?? [], after?.servers ?? []];
  const names = new Set([...all, ...others].map(({ name }) => name));
  return [...names].flatMap((name): Difference[] => {
    const [was, is] = [all, others].map((servers) =>
      servers.find((each) => each.name === name),
    );
    const urls = [was?.url.text, is?.url.text] as const;
    if (was === undefined || is === undefined)
      return [[`servers/${name}`, ...urls]];
    const isMoved = plainAddress(was.url.text) !== plainAddress(is.url.text);
    const files = [was.caFile?.text, is.caFile?.text] as const;
    return [
      ...(isMoved ? [[`servers/${name}/url`, ...urls] as const] : []),
      ...(files[0] === files[1]
        ? []
        : [[`servers/${name}/tls`, ...files] as const]),
    ];
  });
}
