import { count } from '../../findings/words.ts';
import { effectOf } from '../../model/permission.ts';
import { isEmpty } from '../../model/value.ts';
import { CHANGE_LABELS } from '../../plan/label.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../plan/plan.ts';
import { fieldName } from '../fold.ts';
import { headlineText } from '../plan-summary.ts';
import { membersOf, sidesOf } from '../sides.ts';
import { block, comparison, explained, memberComparison } from './comparison.ts';
import { breakable, type Child, element, type Markup } from './element.ts';
import { badge, fieldArticle, group, labelBadge, outcomeBadges, riskBadge } from './field.ts';
import { untoldGroups } from './untold.ts';

/** Up to so many changes a page opens with all of them in sight. */
const OPEN_UP_TO = 20;

/** The changes of each server, integration by integration, then what an apply does not write. */
export function planSections(servers: readonly ServerPlan[]): Markup[] {
  const isOpen = servers.reduce((sum, { summary }) => sum + summary.changes, 0) <= OPEN_UP_TO;
  return servers.map((plan, index) => serverSection(plan, index, isOpen));
}

/** Whether a person should see an integration by itself. */
export function isShown({ changes, outcome, unplanned }: IntegrationPlan): boolean {
  return changes.length > 0 || outcome !== undefined || unplanned === true;
}

/** What a link to an integration on a server leads to, both by their numbers. */
export function anchorOf(server: number, integration: number): string {
  return `s${server + 1}-i${integration + 1}`;
}

function serverSection(plan: ServerPlan, index: number, isOpen: boolean): Markup {
  const groups = plan.integrations.map((each, at) =>
    isShown(each)
      ? integrationGroup(each, { id: anchorOf(index, at), isOpen, hasLabels: plan.base !== undefined })
      : [],
  );
  return element(
    'section',
    { class: 'server', 'data-server': plan.name },
    element('h2', {}, breakable(plan.name), ' ', element('small', {}, plan.url)),
    element('p', { class: 'verdict' }, headlineText(plan)),
    groups,
    untoldGroups(plan),
  );
}

interface GroupView {
  readonly id: string;
  readonly isOpen: boolean;
  readonly hasLabels: boolean;
}

function integrationGroup(integration: IntegrationPlan, { id, isOpen, hasLabels }: GroupView): Markup {
  const { name, changes, blocked, status, unplanned, outcome } = integration;
  const labels = CHANGE_LABELS.filter((label) => changes.some((each) => each.label === label));
  const risks = new Set(changes.flatMap((each) => each.risks));
  const ordered = hasLabels
    ? labels.flatMap((label) => changes.filter((each) => each.label === label))
    : changes;
  const summary: Child[] = [
    element('strong', {}, name),
    ...(integration.id === name ? [] : [element('small', {}, integration.id)]),
    ...(changes.length === 0 ? [] : [element('span', { class: 'many' }, count(changes.length, 'change'))]),
    ...(blocked
      ? [badge(status ?? 'not running', 'doubtful', 'It does not run, and is likely to refuse.')]
      : []),
    ...(unplanned === true ? [badge('not planned', 'bad', 'Errors keep it from being planned.')] : []),
    ...(hasLabels ? labels.map(labelBadge) : []),
    ...[...risks].map(riskBadge),
    ...outcomeBadges(outcome),
  ];
  const fields = ordered.map((change) => changeArticle(change, integration, hasLabels));
  const content = unplanned === true ? element('p', {}, 'Not planned, because of errors.') : fields;
  return group({ id, isOpen, isItem: changes.length === 0 }, summary, content);
}

function changeArticle(change: Change, integration: IntegrationPlan, hasLabels: boolean): Markup {
  const { address, label, risks, comment, source, outcome } = change;
  const isNew = change.field === 'value' && !change.sensitive && isEmpty(change.before);
  return fieldArticle({
    mark: isNew ? '+' : '~',
    address,
    name: fieldName(address, integration),
    difference: differenceOf(change),
    badges: [
      ...(hasLabels ? [labelBadge(label)] : []),
      ...(outcome === integration.outcome ? [] : outcomeBadges(outcome)),
    ],
    ...(hasLabels ? { label } : {}),
    risks,
    ...(comment === undefined ? {} : { comment }),
    source,
  });
}

function differenceOf(change: Change): Markup {
  if (change.field === 'permission')
    return block([
      explained('del', change.before, effectOf(change.before)),
      explained('ins', change.after, effectOf(change.after)),
    ]);
  const members = membersOf(change);
  if (members !== undefined) return memberComparison(members.removed, members.added);
  const { before, after } = sidesOf(change);
  const isNew = change.field === 'value' && !change.sensitive && change.before === null;
  return comparison({ after, ...(isNew ? {} : { before }) });
}
