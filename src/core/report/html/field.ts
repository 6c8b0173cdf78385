import type { Place } from '../../model/place.ts';
import { LABELS, type Label } from '../../plan/label.ts';
import { OUTCOMES, type Outcome } from '../../plan/outcome.ts';
import { RISKS, type Risk } from '../../plan/risk.ts';
import { type Child, element, type Markup } from './element.ts';

/** One field that differs, in a plan or between two revisions. */
export interface ShownField {
  readonly mark: '+' | '~' | '-';
  readonly address: string;
  /** The name of the field inside its integration. */
  readonly name: string;
  /** How it differs. */
  readonly difference: Markup;
  /** What tells it from other fields at a glance. */
  readonly badges: readonly Markup[];
  readonly label?: Label;
  readonly risks: readonly Risk[];
  readonly comment?: string;
  readonly source: Place;
}

/** A field: its name, how it differs, what that risks, the comment and the place in the YAML. */
export function fieldArticle(field: ShownField): Markup {
  const { mark, address, name, difference, badges, label, risks, comment, source } = field;
  return element(
    'article',
    {
      'data-item': true,
      'data-address': address,
      ...(label === undefined ? {} : { 'data-label': label }),
      ...risksAttribute(risks),
    },
    element('p', { class: 'field' }, [
      element('strong', {}, `${mark} ${name}`),
      ...badges,
      element('small', {}, `${source.file}:${source.line}`),
    ]),
    difference,
    risks.map((risk) => element('p', { class: 'risk' }, [riskBadge(risk), ` ${RISKS[risk].words}`])),
    comment === undefined ? [] : element('p', { class: 'comment' }, `# ${comment}`),
  );
}

function risksAttribute(risks: readonly Risk[]) {
  return risks.length === 0 ? {} : { 'data-risks': risks.join(' ') };
}

/** A block that opens: an integration with its fields. `id` is what links lead to. */
export function group(
  {
    id,
    isOpen,
    isItem = false,
  }: { readonly id?: string; readonly isOpen: boolean; readonly isItem?: boolean },
  summary: Child,
  ...content: readonly Child[]
): Markup {
  const attributes = {
    class: 'group',
    open: isOpen,
    'data-item': isItem,
    ...(id === undefined ? {} : { id }),
  };
  return element('details', attributes, element('summary', {}, summary), ...content);
}

/** A word in a frame; `look` says how good it is. */
export function badge(text: string, look: 'good' | 'doubtful' | 'bad' | 'plain', title = ''): Markup {
  return element('span', { class: `badge ${look}`, ...(title === '' ? {} : { title }) }, text);
}

export function labelBadge(label: Label): Markup {
  return badge(
    label,
    label === 'conflict' ? 'bad' : label === 'drift' ? 'doubtful' : 'plain',
    LABELS[label].title,
  );
}

export function riskBadge(risk: Risk): Markup {
  return badge(risk, RISKS[risk].treatment === 'error' ? 'bad' : 'doubtful', RISKS[risk].words);
}

/** What became of something; nothing before an apply. */
export function outcomeBadges(outcome: Outcome | undefined): Markup[] {
  return outcome === undefined ? [] : [badge(outcome, OUTCOMES[outcome].look)];
}
