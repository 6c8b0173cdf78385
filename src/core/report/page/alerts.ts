import { findingHelp } from '../../findings/explain.ts';
import { count, listed } from '../../findings/words.ts';
import { isWriting, OUTCOMES } from '../../plan/plan.ts';
import type { Cause } from '../model/cause.ts';
import type { Model } from '../model/model.ts';
import { causeLine, hintOf } from './causes.ts';
import type { PageContext } from './context.ts';
import { type Child, element, type Markup } from './markup.ts';
import { serverTags } from './parts.ts';

/** The most errors that stand open beside changes. */
const MOST_OPEN = 3;

/** What keeps a plan from being applied, or an apply from being whole. */
export function alertsOf(context: PageContext): Child[] {
  const { refusals } = context.model;
  const alerts: Child[] = [];
  if (refusals.length > 0) alerts.push(refusalAlert(context.model));
  alerts.push(errorAlert(context));
  for (const { code, causes } of context.model.urgent) {
    const lines = causes.map((cause) => causeLine(cause, context));
    alerts.push(alert('risk', findingHelp(code)?.title ?? code, ...lines));
  }
  return alerts;
}

function refusalAlert({ refusals, document }: Model): Markup {
  const effect = isWriting(document.command)
    ? 'nothing was written'
    : 'apply writes nothing on any server until this is lifted';
  const title = `Refused: ${effect}`;
  const lines: Markup[] = [];
  for (const { refusal, servers } of refusals) {
    const { message, hint } = refusal;
    const hints = hint === undefined ? [] : [hint];
    lines.push(
      element('p', {}, serverTags(servers), ` ${message} `, hintOf(hints)),
    );
  }
  return alert('bad', title, ...lines);
}

function errorAlert(context: PageContext): Markup | undefined {
  const errors = errorsOf(context.model);
  if (errors.length === 0) return undefined;
  const lines = errors.map((cause) => {
    const code = element('code', { class: 'dim' }, cause.code);
    return causeLine(cause, context, ' ', code);
  });
  const isAlone = context.model.facts.length === 0;
  const open = isAlone ? lines.length : MOST_OPEN;
  const title = errorTitle(context.model, errors.length);
  return alert(
    'bad',
    title,
    ...lines.slice(0, open),
    folded(lines.slice(open)),
  );
}

/** The errors; those that only say what became of changes stand last. */
function errorsOf({ findings }: Model): Cause[] {
  const errors: Cause[] = [];
  const outcomes: Cause[] = [];
  for (const { code, severity, causes } of findings) {
    if (severity !== 'error') continue;
    if (code in OUTCOMES) outcomes.push(...causes);
    else errors.push(...causes);
  }
  return [...errors, ...outcomes];
}

function errorTitle(model: Model, errors: number): string {
  const { unplanned } = model;
  if (unplanned.length === 0) return count(errors, 'error');
  const names = unplanned.map(({ name }) => name);
  const title = `Left out, because of errors: ${listed(names, 8)}`;
  if (!model.writesOthers) return title;
  return `${title}; apply writes the other integrations`;
}

function folded(lines: readonly Markup[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  return element(
    'details',
    {},
    element('summary', {}, `${count(lines.length, 'more error')}`),
    ...lines,
  );
}

function alert(
  look: 'bad' | 'risk',
  title: string,
  ...children: readonly Child[]
): Markup {
  const head = element('h2', {}, title);
  return element('section', { class: `alert ${look}` }, head, ...children);
}
