import { at, count } from '../../findings/words.ts';
import { CHANGE_LABELS, isChangeLabel, LABEL_NAMES, LABELS } from '../../plan/label.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../plan/plan.ts';
import { asOfTexts } from '../as-of.ts';
import { changeSides, effectsOf, riskText } from '../change-text.ts';
import { codeSpan, fenced } from '../escape-sinks.ts';
import { fieldName, foldChanges, type SharedChanges } from '../fold.ts';
import { limitTexts } from '../limits.ts';
import { PLAIN } from '../paint.ts';
import { headlineText } from '../plan-summary.ts';
import type { PlanReport } from '../report.ts';
import { commandOf, titleOf } from '../run-title.ts';
import { noteBlocks } from './notes.ts';
import { type Block, collapsed, namesText, partsOf } from './page.ts';

/** Values are compared as in text, in lines that a page has room for. */
export const IN_PAGE = { paint: PLAIN, width: 100, unmarked: true } as const;

/** What plans come to: a headline, and the totals of each server. */
export function planHead(report: PlanReport): string[] {
  const { servers } = report;
  return [
    `## setpoint ${commandOf(report)}: ${titleOf(report)}`,
    ...limitTexts(servers, codeSpan),
    ...(servers.length === 0 ? [] : [totalsTable(servers)]),
  ];
}

/** The most fields that the head of a page names. */

function isLabelled(servers: readonly ServerPlan[]): boolean {
  return servers.some(({ summary }) => summary.labels !== undefined);
}

/** The most servers with a row of their own. */
const ROWS_AT_MOST = 40;

/** A row of numbers for each server, and one for all. */
function totalsTable(servers: readonly ServerPlan[]): string {
  const columns = columnsOf(servers);
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const sum = ({ of }: Column) => servers.reduce((total, plan) => total + of(plan), 0);
  return [
    row(['Server', ...columns.map(({ title }) => title)]),
    row(['---', ...columns.map(() => '---:')]),
    ...servers
      .slice(0, ROWS_AT_MOST)
      .map((plan) => row([codeSpan(plan.name), ...columns.map(({ of }) => of(plan))])),
    ...(servers.length === 1 ? [] : [row([`all ${servers.length} servers`, ...columns.map(sum)])]),
  ].join('\n');
}

interface Column {
  readonly title: string;
  readonly of: (plan: ServerPlan) => number;
}

/** The columns of the totals: labels where there is a base, those that are only told where there are any, outcomes after an apply. */
function columnsOf(servers: readonly ServerPlan[]): Column[] {
  const optional = (title: string, of: Column['of']) =>
    servers.some((plan) => of(plan) > 0) ? [{ title, of }] : [];
  const labels = LABEL_NAMES.flatMap((label) => {
    const title = LABELS[label].count;
    const of = ({ summary }: ServerPlan) => summary.labels?.[label] ?? 0;
    // That nothing drifted is worth a column.
    return isChangeLabel(label) ? [{ title, of }] : optional(title, of);
  });
  const outcomes = new Set(servers.flatMap(outcomesOf));
  return [
    { title: isLabelled(servers) ? 'differences' : 'changes', of: ({ summary }) => summary.changes },
    ...(isLabelled(servers) ? labels : []),
    ...optional('waived', ({ summary }) => summary.waived ?? 0),
    { title: 'risks', of: ({ integrations }) => risksIn(integrations) },
    { title: 'cannot be seen', of: ({ summary }) => summary.cannotTell },
    ...[...outcomes].map((outcome) => ({
      title: `integrations ${outcome}`,
      of: (plan: ServerPlan) => outcomesOf(plan).filter((each) => each === outcome).length,
    })),
  ];
}

function risksIn(integrations: readonly IntegrationPlan[]): number {
  return integrations.flatMap(({ changes }) => changes.flatMap(({ risks }) => risks)).length;
}

function outcomesOf({ integrations }: ServerPlan) {
  return integrations.flatMap(({ outcome }) => outcome ?? []);
}

/**
 * The changes of all servers: a branch's own, then conflicts, then drift; and behind all of them what is only told, so that a
 * page that is cut loses that first.
 */
export function planBlocks(servers: readonly ServerPlan[]): Block[] {
  const parts = servers.map((plan) => {
    const changes = CHANGE_LABELS.flatMap((label) => labelBlocks(plan, label));
    const heading = serverHeading(plan);
    const isApart = servers.length > 1 && changes.length > 0;
    return {
      written: below(heading, [...changes, ...unplannedBlocks(plan)]),
      told: below(isApart ? `### ${codeSpan(plan.name)}: not written` : heading, noteBlocks(plan)),
    };
  });
  return [...parts.flatMap(({ written }) => written), ...parts.flatMap(({ told }) => told)];
}

function below(heading: string, blocks: readonly Block[]): Block[] {
  return blocks.map((block) => ({ ...block, headings: [heading, ...(block.headings ?? [])] }));
}

function serverHeading(plan: ServerPlan): string {
  const { name, base } = plan;
  const compared =
    base === undefined ? '' : ` Compared with ${codeSpan(base.ref)} (${codeSpan(base.commit.slice(0, 12))}).`;
  return `### ${codeSpan(name)}\n\n${[headlineText(plan), ...asOfTexts([plan])].join(' ')}${compared}`;
}

function labelBlocks({ base, integrations }: ServerPlan, label: (typeof CHANGE_LABELS)[number]): Block[] {
  const own = integrations.map((each) => ({
    ...each,
    changes: each.changes.filter((change) => change.label === label),
  }));
  const folded = foldChanges(own);
  const headings = base === undefined ? [] : [`#### ${LABELS[label].title}`];
  const blocks = [...folded.shared.flatMap(sharedBlocks), ...folded.own.flatMap(integrationBlocks)];
  return blocks.map((block) => ({ ...block, headings }));
}

/** The same changes in several integrations. */
function sharedBlocks({ integrations, changes }: SharedChanges): Block[] {
  const [first] = integrations;
  if (first === undefined) return [];
  const title = `**${fieldNames(changes, first)} in ${integrations.length} integrations**${stateText(first)}`;
  const all = `In ${namesText(integrations.map(({ name }) => codeSpan(name)))}.`;
  return changeBlocks({ ...first, changes }, () => title, integrations.length).map((block, index) =>
    index === 0 ? { ...block, text: `${block.text}\n\n${all}` } : block,
  );
}

function integrationBlocks(integration: IntegrationPlan): Block[] {
  const { name, id } = integration;
  const title = `**${codeSpan(name)}**${name === id ? '' : ` ${codeSpan(id)}`}${stateText(integration)}`;
  return changeBlocks(integration, (changes) => `${title} – ${fieldNames(changes, integration)}`, 1);
}

/** What changes, to be read before the details are opened. */
function fieldNames(changes: readonly Change[], integration: IntegrationPlan): string {
  return namesText(
    changes.map(({ address }) => codeSpan(fieldName(address, integration).replace(/\.value$/, ''))),
  );
}

function stateText({ blocked, status, outcome }: IntegrationPlan): string {
  return `${blocked ? ` (${codeSpan(status ?? 'unknown')})` : ''}${outcome === undefined ? '' : `: ${outcome}`}`;
}

/** The changes of an integration below its title, in parts if they are many. */
function changeBlocks(
  integration: IntegrationPlan,
  titleOf: (changes: readonly Change[]) => string,
  times: number,
): Block[] {
  const parts = partsOf(integration.changes, (change) => changeLines(change, integration));
  return parts.map(({ items, lines }) => ({
    text: `${titleOf(items)}\n\n${collapsed(count(items.length, 'change'), fenced(lines, 'diff'))}`,
    of: 'change',
    count: items.length * times,
  }));
}

function changeLines(change: Change, integration: IntegrationPlan): string[] {
  const { address, source, comment, outcome, risks } = change;
  return [
    `@@ ${fieldName(address, integration)} @@ ${at(source)}${outcome === undefined ? '' : ` [${outcome}]`}`,
    ...changeSides(change, IN_PAGE).below,
    ...effectsOf(change),
    ...risks.map(riskText),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ];
}

function unplannedBlocks({ integrations }: ServerPlan): Block[] {
  const names = integrations.filter(({ unplanned }) => unplanned).map(({ name }) => codeSpan(name));
  if (names.length === 0) return [];
  const text = `**${count(names.length, 'integration')} not planned, because of errors:** ${namesText(names)}`;
  return [{ text, of: 'field', count: names.length }];
}
