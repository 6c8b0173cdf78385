import type { Diagnostic } from '../../findings/diagnostic.ts';
import { explain } from '../../findings/explain.ts';
import { at, count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { ServerPlan } from '../../plan/plan.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import { codeSpan } from '../escape-sinks.ts';
import { type FindingGroup, groupFindings } from '../finding-groups.ts';
import { type Block, namesText } from './page.ts';

const HEADING = '### Risks and refusals';

const FINDINGS = '### Findings\n\n`setpoint explain CODE` says what a code means.';

/** The risks of all changes, each once with the fields that carry it. */
export function riskBlocks(servers: readonly ServerPlan[]): Block[] {
  const all = servers.flatMap(({ name, integrations }) =>
    integrations.flatMap(({ changes }) => changes.map(({ address, risks }) => ({ name, address, risks }))),
  );
  return RISK_NAMES.flatMap((risk): Block[] => {
    const found = all.filter(({ risks }) => risks.includes(risk));
    if (found.length === 0) return [];
    const fields = [...grouped(found, ({ address }) => address)].map(([address, each]) =>
      servers.length === 1 ? codeSpan(address) : `${codeSpan(address)}${onServers(each)}`,
    );
    const text = `- **${risk}** (${RISKS[risk].words}), ${count(found.length, 'change')}: ${namesText(fields)}`;
    return [{ headings: [HEADING], text, of: 'finding', count: 1 }];
  });
}

function onServers(found: readonly { readonly name: string }[]): string {
  return ` on ${namesText(found.map(({ name }) => codeSpan(name)))}`;
}

/** Errors and warnings, each mistake once: first what an apply refuses, then errors. Notes are for other reports. */
export function findingBlocks(findings: readonly Diagnostic[]): Block[] {
  const groups = groupFindings(findings).map((group) => ({ ...group, ...explain(group.first) }));
  const refused = groups.filter(({ exit }) => exit === 'guard');
  const others = groups.filter(({ exit }) => exit !== 'guard');
  const blocks = (some: typeof groups, heading: string) =>
    some.map((group): Block => ({ headings: [heading], text: groupText(group), of: 'finding', count: 1 }));
  return [
    ...blocks(refused, HEADING),
    ...(['error', 'warning'] as const).flatMap((level) =>
      blocks(
        others.filter(({ severity }) => severity === level),
        FINDINGS,
      ),
    ),
  ];
}

/** A group in words: its message may hold foreign text anywhere. */
function groupText(group: FindingGroup & ReturnType<typeof explain>): string {
  const { severity, exit, code, place, message, hint, servers, others } = group;
  const where = place === undefined ? '' : ` at ${codeSpan(at(place))}`;
  const on = servers.length === 0 ? '' : ` on ${namesText(servers.map(codeSpan))}`;
  const same =
    others.length === 0
      ? []
      : [`The same in ${count(others.length, 'more integration')}: ${namesText(others.map(codeSpan))}.`];
  const word = exit === 'guard' && severity === 'warning' ? 'refusal' : severity;
  return [
    `- **${word}** ${code}${where}${on}: ${codeSpan(message)}`,
    ...(hint === undefined ? [] : [codeSpan(hint)]),
    ...same,
  ].join('\n  ');
}
