import { compareText } from '../../findings/diagnostic.ts';
import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { LABEL_NAMES } from '../../plan/label.ts';
import { OUTCOMES, type Outcome } from '../../plan/outcome.ts';
import type { IntegrationPlan, ServerPlan } from '../../plan/plan.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import { fieldName } from '../fold.ts';
import { breakable, type Child, element, type Markup } from './element.ts';
import { badge, riskBadge } from './field.ts';
import { anchorOf, isShown } from './plan.ts';
import { table } from './table.ts';

/** The most fields that are named beside a risk. */
const NAMED_AT_MOST = 5;

/** Up to so many integrations their matrix is open. */
const OPEN_UP_TO = 20;

/** What is risked, with links to the integrations; nothing where no change has a risk. */
export function risksSection(servers: readonly ServerPlan[]): Markup[] {
  const fields = servers.flatMap((plan, server) =>
    plan.integrations.flatMap((each, integration) =>
      each.changes.map(({ address, risks }) => ({
        risks,
        href: `#${anchorOf(server, integration)}`,
        text: `${servers.length === 1 ? '' : `${plan.name}: `}${each.name} ${fieldName(address, each)}`,
      })),
    ),
  );
  const items = RISK_NAMES.flatMap((risk) => {
    const found = fields.filter(({ risks }) => risks.includes(risk));
    return found.length === 0 ? [] : [riskItem(riskBadge(risk), RISKS[risk].words, found)];
  });
  if (items.length === 0) return [];
  return [element('section', { class: 'risks' }, element('h2', {}, 'Risks'), element('ul', {}, items))];
}

interface Link {
  readonly href: string;
  readonly text: string;
}

function riskItem(name: Markup, words: string, fields: readonly Link[]): Markup {
  const links = fields
    .slice(0, NAMED_AT_MOST)
    .flatMap(({ href, text }, index): Child[] => [index === 0 ? '' : ', ', element('a', { href }, text)]);
  const rest = fields.length - NAMED_AT_MOST;
  return element(
    'li',
    {},
    name,
    ` ${words}: ${count(fields.length, 'change')}. `,
    links,
    rest > 0 ? ` and ${rest} more` : '',
  );
}

interface Column {
  readonly title: string;
  readonly of: (plan: ServerPlan) => number;
  /** Whether it is left out where it counts nothing. */
  readonly isOptional?: true;
}

/** What an apply made of integrations, by its outcomes. */
const OUTCOME_COLUMNS: readonly Column[] = Object.keys(OUTCOMES).map((outcome) => ({
  title: outcome,
  of: ({ integrations }) => integrations.filter((each) => each.outcome === outcome).length,
  isOptional: true,
}));

const COLUMNS: readonly Column[] = [
  { title: 'managed', of: ({ summary }) => summary.managed },
  { title: 'changed', of: ({ summary }) => summary.changed },
  { title: 'changes', of: ({ summary }) => summary.changes },
  ...LABEL_NAMES.map(
    (label): Column => ({
      title: label,
      of: ({ summary }) => summary.labels?.[label] ?? 0,
      isOptional: true,
    }),
  ),
  { title: 'waived', of: ({ summary }) => summary.waived ?? 0, isOptional: true },
  { title: 'unseen', of: ({ summary }) => summary.cannotTell, isOptional: true },
  { title: 'not running', of: ({ summary }) => summary.blocked, isOptional: true },
  { title: 'as desired', of: ({ summary }) => summary.asDesired },
  { title: 'reads', of: ({ summary }) => summary.reads },
  { title: 'writes', of: ({ summary }) => summary.writes },
  ...OUTCOME_COLUMNS,
];

/** A table with a row for each server, and one for all of them. */
export function totalsSection(servers: readonly ServerPlan[]): Markup {
  const sum = ({ of }: Column) => servers.reduce((total, plan) => total + of(plan), 0);
  const columns = COLUMNS.filter((column) => column.isOptional !== true || sum(column) > 0);
  const rows = servers.map((plan) =>
    row(
      plan.name,
      columns.map(({ of }) => of(plan)),
    ),
  );
  const all = servers.length < 2 ? [] : [row('all servers', columns.map(sum))];
  return element(
    'section',
    {},
    element('h2', {}, 'Totals'),
    table(['server', ...columns.map(({ title }) => title)], [...rows, ...all]),
  );
}

function row(name: string, counts: readonly number[]): Markup {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, breakable(name)),
    counts.map((each) => element('td', {}, String(each))),
  );
}

/** Integrations by servers: how many changes each has where, with what is worst of them; nothing for a single integration. */
export function matrixSection(servers: readonly ServerPlan[]): Markup[] {
  const cells = servers.flatMap((plan, server) =>
    plan.integrations.map((each, index) => ({
      name: each.name,
      server,
      isShown: isShown(each),
      cell: isShown(each) ? cellOf(each, anchorOf(server, index)) : quietCell(each),
    })),
  );
  const byName = [...grouped(cells, ({ name }) => name)]
    .filter(([, found]) => found.some((each) => each.isShown))
    .sort(([a], [b]) => compareText(a, b));
  if (byName.length < 2) return [];
  const rows = byName.map(([name, found]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, breakable(name)),
      servers.map((_, at) => element('td', {}, found.find(({ server }) => server === at)?.cell ?? '')),
    ),
  );
  const title = element('summary', {}, `${count(byName.length, 'integration')} by server`);
  const whole = table(['integration', ...servers.map(({ name }) => breakable(name))], rows);
  const isOpen = byName.length <= OPEN_UP_TO;
  return [element('section', { class: 'matrix' }, element('details', { open: isOpen }, title, whole))];
}

function cellOf({ changes, outcome, unplanned }: IntegrationPlan, anchor: string): Markup {
  const risks = changes.flatMap((change) => change.risks);
  const isConflict = changes.some(({ label }) => label === 'conflict');
  const isRefused = risks.some((risk) => RISKS[risk].treatment === 'error');
  const isBad = unplanned === true || isConflict || isRefused || lookOf(outcome) === 'bad';
  const look = isBad ? 'bad' : risks.length > 0 || lookOf(outcome) === 'doubtful' ? 'doubtful' : 'plain';
  const text = unplanned === true ? '!' : String(changes.length);
  const said = [
    count(changes.length, 'change'),
    ...new Set(risks),
    ...(outcome === undefined ? [] : [outcome]),
  ];
  return element(
    'a',
    { href: `#${anchor}` },
    badge(text, outcome === 'verified' ? 'good' : look, said.join(', ')),
  );
}

/** An integration without changes; it is as desired only where all of it can be seen, and nothing is left alone. */
function quietCell({ cannotTell, waived = [], released }: IntegrationPlan): Child {
  if (released === true) return '';
  if (cannotTell.length > 0) return element('span', { title: 'not all of it can be seen' }, '?');
  if (waived.length > 0) return element('span', { title: 'differences are left alone' }, '~');
  return element('span', { title: 'as desired' }, '✓');
}

function lookOf(outcome: Outcome | undefined): string | undefined {
  return outcome === undefined ? undefined : OUTCOMES[outcome].look;
}
