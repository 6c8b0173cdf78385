import { count, listed } from '../../findings/words.ts';
import { isWriting } from '../../plan/plan.ts';
import { commandOf, sentenceOf } from '../model/headline.ts';
import type { Left } from '../model/left.ts';
import { type Model, sumOf } from '../model/model.ts';
import type { Tone as Paint, View } from '../report.ts';
import { widthOfView } from './layout.ts';
import { hanging, PAINTS, painted, span } from './spans.ts';

/** A fact at the end of a report, behind its name. */
interface EndFact {
  readonly name: string;
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** The facts at the end, what a person must know last. */
export function endLines(model: Model, view: View): string[] {
  const facts = view.outcomes === true ? [] : backgroundOf(model, view);
  facts.push(...totalOf(model, view));
  const widest = Math.max(...facts.map(({ name }) => name.length)) + 2;
  const lines: string[] = [];
  for (const { name, text, paint = 'strong' } of facts) {
    const lead = [span(name.padEnd(widest), paint)];
    for (const line of hanging(lead, [span(text)], widthOfView(view))) {
      lines.push(painted(line, view));
    }
  }
  return lines;
}

/** What a plan leaves alone, and the risks of its changes. */
function backgroundOf(model: Model, view: View): EndFact[] {
  const { tallies, left, leftOut, unmanaged } = model;
  const facts: EndFact[] = [];
  if (view.quiet !== true) {
    for (const each of left.toReversed()) facts.push(leftFact(each, view));
  }
  if (view.verbose === true) {
    if (unmanaged !== undefined)
      facts.push({ name: 'Not managed', text: unmanaged });
    facts.push({ name: 'Requests', text: requestsText(model) });
  }
  if (!model.isApplied) {
    const widest = Math.max(
      0,
      ...tallies.risks.map(({ changes }) => `${changes}`.length),
    );
    for (const [
      at,
      { key, changes, meaning, tone },
    ] of tallies.risks.entries()) {
      const text = `${`${changes}`.padStart(widest)} ${key}: ${meaning}`;
      facts.push({ name: at === 0 ? 'Risks' : '', text, paint: PAINTS[tone] });
    }
  }
  if (leftOut.length > 0) {
    const text = `${listed(leftOut, NAMED_AT_MOST)}, because of errors`;
    facts.push({ name: 'Left out', text, paint: 'error' });
  }
  return facts;
}

/** The most names without --verbose or --full. */
const NAMED_AT_MOST = 8;

function leftFact({ title, how, fields, isNamed }: Left, view: View): EndFact {
  const isWhole = view.verbose === true || view.full === true;
  const text = `${count(fields.length, 'field')} ${how}`;
  if (!isNamed && !isWhole) return { name: title, text };
  const names: string[] = [];
  for (const { name, field, more } of fields) {
    names.push(`${name}.${field}${more === '' ? '' : ` (${more})`}`);
  }
  const most = isWhole ? names.length : NAMED_AT_MOST;
  return { name: title, text: `${text}: ${listed(names, most)}` };
}

function requestsText({ document: { servers, command } }: Model): string {
  const reads = sumOf(servers, 'reads');
  if (command === 'compare') return `${reads}`;
  const writes = sumOf(servers, 'writes');
  return `${reads} to read; an apply would send ${writes} to write`;
}

/** The total, what is refused, and what to type next. */
function totalOf(model: Model, view: View): EndFact[] {
  const { document, headline, verdict, result, alerts } = model;
  const { command } = document;
  const name = `${command.slice(0, 1).toUpperCase()}${command.slice(1)}`;
  const paint = verdict && PAINTS[verdict.tone];
  const facts: EndFact[] = [];
  if (result === undefined) {
    const isUnwritten =
      isWriting(command) && view.isPreview !== true && model.facts.length > 0;
    const nothing = isUnwritten ? '. Nothing was written.' : '';
    facts.push({ name, text: `${sentenceOf(headline)}${nothing}`, paint });
  } else {
    facts.push({ name, text: `${result.text} ${headline.where}`, paint });
    if (result.open !== '') {
      facts.push({
        name: `NOT ${result.verb}`,
        text: result.open,
        paint: 'error',
      });
    }
  }
  for (const { kind, causes } of alerts) {
    if (kind !== 'refused') continue;
    for (const { text, hints } of causes) {
      facts.push({
        name: 'REFUSED',
        text: [text, ...hints].join(' '),
        paint: 'error',
      });
    }
  }
  facts.push(...nextFacts(model, view));
  return facts;
}

function nextFacts({ next }: Model, view: View): EndFact[] {
  const { typed, quiet, isPreview } = view;
  // Below a preview stands a question.
  if (next === undefined || quiet === true || isPreview === true) return [];
  const text = `${next.lead} ${commandOf(next, typed)}`.trim();
  return [{ name: 'Next', text }];
}
