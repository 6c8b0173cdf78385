import { count, listed, phrase } from '../../findings/words.ts';
import { type Document, isWriting } from '../../plan/plan-document.ts';
import { forLog } from '../escape.ts';
import { sumOf } from '../model/facts.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { Tone, View } from '../report.ts';
import { cardLines } from './card.ts';
import {
  hanging,
  painted,
  type Span,
  span,
  widthOfView,
  wrapped,
} from './spans.ts';

/** A document as text, its findings in between: they may go elsewhere. */
interface TextParts {
  /** What changes. */
  changes: string;
  /** What a person must know last; empty if a person has seen all of it. */
  end: string;
}

/** A document for a file, with findings that are rendered already. */
export function renderText(
  document: Document,
  view: View,
  findings = '',
): string {
  const { changes, end } = textParts(document, view);
  return `${changes}${findings}${end}`;
}

/**
 * What changes; then the facts, the total, what is refused, and what to type
 * next. What matters most stands last.
 */
export function textParts(document: Document, view: View): TextParts {
  const model = modelOf(document, view);
  const isSeen = view.outcomes === true;
  // A person has seen the plan: one that was declined is not shown again.
  if (isSeen && model.result === undefined) return { changes: '', end: '' };
  const blocks = sectionBlocks(model, view);
  if (!isSeen && model.when.length > 0) {
    const text = [`setpoint ${document.command}`, ...model.when].join(', ');
    const head = hanging([], [span(text, 'dim')], widthOfView(view), 2);
    blocks.unshift(textOf(head, view));
  }
  const changes = blocks.map((block) => `${block}\n`).join('');
  return {
    changes: forLog(changes),
    end: forLog(textOf(endLines(model, view), view)),
  };
}

function textOf(lines: readonly Span[][], view: View): string {
  return lines.map((line) => `${painted(line, view)}\n`).join('');
}

/** The cards of all sections below their titles, the weightiest last. */
function sectionBlocks({ sections, result }: Model, view: View): string[] {
  // Few titles in an ordinary week, but drift is never taken for a change.
  const hasTitles =
    sections.length > 1 ||
    result !== undefined ||
    sections[0]?.tone === 'drift';
  const rows = sections.flatMap(({ cards }) => {
    return cards.flatMap((card) => card.rows);
  });
  let gutter = 0;
  for (const { line } of rows) {
    if (line !== '') gutter = Math.max(3, gutter, line.length);
  }
  const width = widthOfView(view);
  const layout = { gutter, width, isFull: view.full === true };
  const blocks: string[] = [];
  for (const { title, cards } of sections.toReversed()) {
    const rule = `-- ${title} `.padEnd(width, '-').trimEnd();
    if (hasTitles) {
      blocks.push(textOf(wrapped([span(rule, 'dim')], width), view));
    }
    for (const card of cards)
      blocks.push(textOf(cardLines(card, layout), view));
  }
  return blocks;
}

/** A fact at the end of a report, behind its name. */
interface EndFact {
  name: string;
  text: string;
  paint?: Tone | undefined;
}

/** The facts at the end, what a person must know last. */
function endLines(model: Model, view: View): Span[][] {
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
  const { document, left, leftOut, risks } = model;
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
    const options = sumOf(servers, 'unmanagedOptions');
    const integrations = sumOf(servers, 'unmanagedIntegrations');
    if (options + integrations > 0) {
      const all = `${count(options, 'option')} and ${count(integrations, 'integration')}`;
      facts.push({ name: 'Not managed', text: `${all} that no file declares` });
    }
    const reads = `${sumOf(servers, 'reads')}`;
    const writes = `an apply would send ${sumOf(servers, 'writes')} to write`;
    const text = command === 'compare' ? reads : `${reads} to read; ${writes}`;
    facts.push({ name: 'Requests', text });
  }
  for (const [at, risk] of risks.entries()) {
    const text = `${risk.facts.length} ${risk.key}: ${risk.meaning}`;
    const paint = risk.tone;
    facts.push({ name: at === 0 ? 'Risks' : '', text, paint });
  }
  if (leftOut.length > 0) {
    const text = `${listed(leftOut, NAMED_AT_MOST)}, because of errors`;
    facts.push({ name: 'Left out', text, paint: 'bad' });
  }
  return facts;
}

/** The total, what is refused, and what to type next. */
function totalOf(model: Model, view: View): EndFact[] {
  const { document, headline, verdict, result, refused, next } = model;
  const { command } = document;
  const name = `${command.slice(0, 1).toUpperCase()}${command.slice(1)}`;
  const paint = verdict?.tone;
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
      facts.push({ name: `NOT ${verb}`, text: open, paint: 'bad' });
  }
  for (const { text, hints } of refused) {
    const words = [text, ...hints].join(' ');
    facts.push({ name: 'REFUSED', text: words, paint: 'bad' });
  }
  // Below a preview stands a question.
  const isLast = view.quiet === true || view.isPreview === true;
  if (next !== undefined && !isLast) {
    const text = `${next.lead} ${next.command}`.trim();
    facts.push({ name: 'Next', text });
  }
  return facts;
}
