import { count, listed, phrase } from '../../findings/words.ts';
import { isWriting } from '../../plan/plan.ts';
import type { Model } from '../model/model.ts';
import { sumOf } from '../model/servers.ts';
import type { Tone as Paint, View } from '../report.ts';
import { widthOfView } from '../wrap.ts';
import { hanging, PAINTS, type Span, span } from './spans.ts';

/** A fact at the end of a report, behind its name. */
interface EndFact {
  readonly name: string;
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** The facts at the end, what a person must know last. */
export function endLines(model: Model, view: View): Span[][] {
  const facts = view.outcomes === true ? [] : backgroundOf(model, view);
  facts.push(...totalOf(model, view));
  const widest = Math.max(...facts.map(({ name }) => name.length)) + 2;
  return facts.flatMap(({ name, text, paint = 'strong' }) => {
    const lead = [span(name.padEnd(widest), paint)];
    // People copy the command as one line.
    if (name === 'Next') return [[...lead, span(text)]];
    return hanging(lead, [span(text)], widthOfView(view));
  });
}

/** The most names without --verbose or --full. */
const NAMED_AT_MOST = 8;

/** What a plan leaves alone, and the risks of its changes. */
function backgroundOf(model: Model, view: View): EndFact[] {
  const { document, left, leftOut, unmanaged, risks } = model;
  const { servers, command } = document;
  const facts: EndFact[] = [];
  const isWhole = view.verbose === true || view.full === true;
  for (const { title, how, fields, size } of left.toReversed()) {
    if (view.quiet === true) break;
    const names = fields.map(({ field, more }) => {
      return phrase([field, more && `(${more})`]);
    });
    const shown = listed(names, isWhole ? names.length : NAMED_AT_MOST);
    facts.push({
      name: title,
      text: `${count(size, 'field')} ${how}: ${shown}`,
    });
  }
  if (view.verbose === true) {
    if (unmanaged !== undefined)
      facts.push({ name: 'Not managed', text: unmanaged });
    const reads = `${sumOf(servers, 'reads')}`;
    const writes = `an apply would send ${sumOf(servers, 'writes')} to write`;
    const text = command === 'compare' ? reads : `${reads} to read; ${writes}`;
    facts.push({ name: 'Requests', text });
  }
  for (const [at, risk] of risks.entries()) {
    const text = `${risk.facts.length} ${risk.key}: ${risk.meaning}`;
    const paint = PAINTS[risk.tone];
    facts.push({ name: at === 0 ? 'Risks' : '', text, paint });
  }
  if (leftOut.length > 0) {
    const text = `${listed(leftOut, NAMED_AT_MOST)}, because of errors`;
    facts.push({ name: 'Left out', text, paint: 'error' });
  }
  return facts;
}

/** The total, what is refused, and what to type next. */
function totalOf(model: Model, view: View): EndFact[] {
  const { document, headline, verdict, result, refused, next } = model;
  const { command } = document;
  const name = `${command.slice(0, 1).toUpperCase()}${command.slice(1)}`;
  const paint = verdict && PAINTS[verdict.tone];
  const facts: EndFact[] = [];
  if (result === undefined) {
    const isUnwritten =
      isWriting(command) && view.isPreview !== true && model.facts.length > 0;
    const nothing = isUnwritten ? '. Nothing was written.' : '';
    facts.push({ name, text: `${headline}${nothing}`, paint });
  } else {
    const { verb, text, open } = result;
    facts.push({ name, text, paint });
    if (open !== '')
      facts.push({ name: `NOT ${verb}`, text: open, paint: 'error' });
  }
  for (const { text, hints } of refused) {
    const words = [text, ...hints].join(' ');
    facts.push({ name: 'REFUSED', text: words, paint: 'error' });
  }
  // Below a preview stands a question.
  const isLast = view.quiet === true || view.isPreview === true;
  if (next !== undefined && !isLast) {
    const text = `${next.lead} ${next.command}`.trim();
    facts.push({ name: 'Next', text });
  }
  return facts;
}
