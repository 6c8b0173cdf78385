import type { FieldDiff, ServerDiff } from '../diff/revision-diff.ts';
import { type Diagnostic, FINDINGS } from '../findings/diagnostic.ts';
import type { Severity } from '../findings/entry.ts';
import { explain } from '../findings/explain.ts';
import { at, count, cut, listed } from '../findings/words.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { LABELS } from '../plan/label.ts';
import { OUTCOMES } from '../plan/outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../plan/plan.ts';
import { effectsOf, riskText } from './change-text.ts';
import { digestOf } from './digest.ts';
import { groupFindings } from './finding-groups.ts';
import { fieldName } from './fold.ts';
import { type InRepository, placeFromRoot } from './from-root.ts';
import type { Report } from './report.ts';
import { sidesOf } from './sides.ts';
import { cautions, DECLARED, declaredSides, effects, partsOfDiff } from './text/diff.ts';

/** What a report says at one place: a finding, or a difference. Its texts may be foreign. */
export interface Remark {
  readonly level: Severity;
  /** The code of a finding, or what kind of difference it is. */
  readonly code: string;
  /** The code in words of our own. */
  readonly title: string;
  /** The integration that a difference is in. */
  readonly integration?: string;
  readonly message: string;
  readonly hint?: string;
  readonly place?: Place;
  readonly server?: string;
  /** Whether it is a difference that a reviewer should not miss. */
  readonly isRisky?: boolean;
  /** What it is known by when lines move: a digest of its code, server and address, or words. */
  readonly identity: string;
}

/** The order of levels, the most severe first. */
export const LEVELS: readonly Severity[] = ['error', 'warning', 'note'];

/** Characters of a value in a sentence. */
const LONGEST_VALUE = 120;

/** The most servers or integrations that a remark names. */
const NAMED_AT_MOST = 8;

/**
 * All that a report says at places, from the root of the repository: its findings, each mistake once, then its differences,
 * those with a risk before others. The most severe come first.
 */
export function remarksOf(
  report: Report,
  findings: readonly Diagnostic[],
  { folder }: InRepository,
): Remark[] {
  const fromRoot = placeFromRoot(report, folder);
  const differences = differenceRemarks(report);
  const found = [
    ...findingRemarks(findings),
    ...differences.filter(({ isRisky }) => isRisky),
    ...differences.filter(({ isRisky }) => !isRisky),
  ];
  const all = found.map((remark) => ({ ...remark, ...fromRoot(remark) }));
  return distinctRemarks(LEVELS.flatMap((level) => all.filter((each) => each.level === level)));
}

/** A remark in one text: on which server, in which integration, what, and what to do about it. */
export function remarkText({ server, integration, message, hint }: Remark): string {
  const about = [server, integration, message].filter((each) => each !== undefined);
  return `${about.join(': ')}${hint === undefined ? '' : ` ${hint}`}`;
}

/** Remarks that would be taken for each other get a number. */
function distinctRemarks(remarks: readonly Remark[]): Remark[] {
  const seen = new Map<string, number>();
  return remarks.map((remark) => {
    const { identity } = remark;
    const number = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, number);
    return number === 1 ? remark : { ...remark, identity: digestOf(`${identity} ${number}`) };
  });
}

function findingRemarks(findings: readonly Diagnostic[]): Remark[] {
  return groupFindings(findings).map(({ first, servers, others }) => {
    const { server, ...remark } = findingRemark(first);
    const named = servers.length > 1 ? `[${listed(servers, NAMED_AT_MOST)}] ` : '';
    const same =
      others.length === 0
        ? ''
        : ` The same in ${count(others.length, 'more integration')}: ${listed(others, NAMED_AT_MOST)}.`;
    const message = `${named}${remark.message}${same}`;
    return { ...remark, message, ...present({ server: servers.length > 1 ? undefined : server }) };
  });
}

/** A finding as a remark. */
export function findingRemark(found: Diagnostic): Remark {
  const { code, severity, message, hint, place, server } = explain(found);
  return {
    level: severity,
    code,
    title: FINDINGS[code].title,
    message,
    identity: digestOf(JSON.stringify([code, server, place?.file, message.replace(POSITION, '')])),
    ...present({ hint, place, server }),
  };
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function differenceRemarks(report: Report): Remark[] {
  if (report.kind === 'plan') return report.servers.flatMap(planRemarks);
  return report.kind === 'diff' ? partsOfDiff(report).flatMap(diffRemarks) : [];
}

function planRemarks(plan: ServerPlan): Remark[] {
  return plan.integrations.flatMap((integration) =>
    integration.changes.map((change) => changeRemark(change, integration, plan)),
  );
}

/** Whether a change is to set right what moved on the server, and no apply has done so. */
export function isAstray(change: Change, integration: IntegrationPlan): boolean {
  return change.label !== 'change' && !isDone(change, integration);
}

function isDone({ outcome }: Change, integration: IntegrationPlan): boolean {
  const ending = outcome ?? integration.outcome;
  return ending !== undefined && OUTCOMES[ending].countsAs === 'applied';
}

/** A change as a remark. What moved on a server, or has a risk, is a warning until an apply is through with it. */
export function changeRemark(
  change: Change,
  integration: IntegrationPlan,
  { name, base }: Pick<ServerPlan, 'name' | 'base'>,
): Remark {
  const { address, label, risks, comment, source } = change;
  const outcome = change.outcome ?? integration.outcome;
  const isRisky = risks.length > 0;
  const isWarning = isAstray(change, integration) || (isRisky && !isDone(change, integration));
  const unlabelled = outcome === undefined ? 'Differs from the server' : 'Planned change';
  const notes = [
    ...effectsOf(change),
    ...(outcome === undefined ? [] : [`[${outcome}]`]),
    ...risks.map(riskText),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ];
  return {
    level: isWarning ? 'warning' : 'note',
    code: label,
    title: base === undefined ? unlabelled : LABELS[label].title,
    integration: integration.name,
    message: [`${fieldName(address, integration)}: ${sentenceOf(sidesOf(change))}`, ...notes].join('  '),
    place: source,
    server: name,
    isRisky,
    identity: digestOf(JSON.stringify([label, name, address])),
  };
}

function diffRemarks({ name: server, entries }: ServerDiff): Remark[] {
  return entries.flatMap((entry) => entry.fields.map((field) => fieldRemark(field, entry.name, server)));
}

/** A declaration that differs between two revisions as a remark. */
export function fieldRemark(field: FieldDiff, entry: string, server: string): Remark {
  const { address, change, comment, source, left } = field;
  const isRisky = cautions(field).length > 0;
  const isGone = change === 'released';
  const notes = [
    ...effects(field),
    ...cautions(field),
    ...(isGone ? [`(was at ${at(source)})`] : []),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ];
  // Pipelines show the head, where its line is another one or the file is gone.
  const place = isGone ? left : source;
  const sides = sentenceOf(declaredSides(field));
  return {
    level: isRisky ? 'warning' : 'note',
    code: `declaration-${change}`,
    title: DECLARED[change],
    integration: entry,
    message: [`${fieldName(address, { name: entry })}: ${sides}`, ...notes].join('  '),
    ...present({ place }),
    server,
    isRisky,
    identity: digestOf(JSON.stringify([change, server, address])),
  };
}

function sentenceOf({
  before,
  after,
}: {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}) {
  const sides = [before ?? '(none)', after ?? '(none)'] as const;
  return `${cut(sides[0], sides[1], LONGEST_VALUE)} -> ${cut(sides[1], sides[0], LONGEST_VALUE)}`;
}
