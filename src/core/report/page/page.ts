import type { Document } from '../../plan/plan.ts';
import { modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { alertsOf } from './alerts.ts';
import { sectionsOf } from './cards.ts';
import { contextOf } from './context.ts';
import { endsOf } from './ends.ts';
import { headOf } from './head.ts';
import { element, htmlDocument, type Markup } from './markup.ts';
import { matrixPart } from './matrix.ts';
import { outcomeSummary } from './outcome-summary.ts';
import { toolsOf } from './tools.ts';

/** Fewer changes need no filter. */
const FEWEST_FILTERED = 4;

/** Of more cards, browsers lay out only what is seen. */
const MOST_LAID_OUT = 100;

/** A document as a page that needs nothing from elsewhere. */
export function renderPage(document: Document, view: View): string {
  const model = modelOf(document, view.full === true);
  const context = contextOf(model);
  const isFiltered = model.facts.length >= FEWEST_FILTERED;
  const title = `${model.headline} - setpoint ${document.command}`;
  const cards = model.sections.flatMap((section) => section.cards);
  const isMany = cards.length > MOST_LAID_OUT;
  const changes = sectionsOf(context);
  const main = element(
    'main',
    { class: 'wrap' },
    alertsOf(context),
    isFiltered ? toolsOf(model) : undefined,
    outcomeSummary(model),
    matrixPart(model),
    element(
      'div',
      { id: 'changes', class: isMany ? 'many-cards' : undefined },
      changes,
    ),
    NO_MATCH,
    endsOf(context),
    element('div', { id: 'said', role: 'status', class: 'hush' }),
  );
  return htmlDocument(
    title,
    element('a', { class: 'skip', href: '#changes' }, 'Skip to the changes'),
    headOf(model),
    main,
    footOf(document.tool.version, isFiltered),
  );
}

const NO_MATCH = element(
  'p',
  { id: 'none', hidden: true },
  'No change matches. ',
  element('button', { type: 'button', id: 'clear' }, 'Clear the filter'),
);

function footOf(version: string, isFiltered: boolean): Markup {
  const name = element('span', {}, `setpoint ${version}`);
  const keys = isFiltered ? KEYS : undefined;
  return element('footer', { class: 'wrap dim' }, name, keys);
}

/** The keys of the script, which shows them. */
const KEYS = element(
  'span',
  { class: 'keys' },
  element('kbd', {}, '/'),
  ' filter ',
  element('kbd', {}, 'j'),
  ' ',
  element('kbd', {}, 'k'),
  ' next, previous ',
  element('kbd', {}, 'Esc'),
  ' clear',
);
