import { count } from '../../findings/words.ts';
import { aloneText } from '../model/alone.ts';
import type { CodeFindings } from '../model/cause.ts';
import type { Left, LeftOn } from '../model/left.ts';
import type { Model } from '../model/model.ts';
import { causeLine } from './causes.ts';
import type { PageContext } from './context.ts';
import { type Child, element, joined, type Markup } from './markup.ts';
import { dim, tag } from './parts.ts';

/** What few people need, folded: warnings, and what is left alone. */
export function endsOf(context: PageContext): Child[] {
  return [warningsOf(context), leftSection(context.model)];
}

function warningsOf(context: PageContext): Markup | undefined {
  const { findings, facts } = context.model;
  const isAlone = facts.length === 0;
  const groups: Markup[] = [];
  for (const group of findings) {
    if (group.severity === 'error') continue;
    groups.push(warningGroup(group, isAlone, context));
  }
  if (groups.length === 0) return undefined;
  const title = element('h2', {}, 'Warnings');
  return element('section', { class: 'end', id: 'warnings' }, title, ...groups);
}

function warningGroup(
  { code, severity, causes }: CodeFindings,
  isOpen: boolean,
  context: PageContext,
): Markup {
  const [first] = causes;
  const number = causes.length > 1 ? ` ${causes.length} times` : '';
  return element(
    'details',
    { open: isOpen },
    element(
      'summary',
      {},
      tag('risk', severity),
      ' ',
      element('b', {}, code),
      number,
      element('span', { class: 'dim first' }, ` ${first?.message ?? ''}`),
    ),
    ...causes.map((cause) => causeLine(cause, context)),
  );
}

function leftSection({ left, document, pair }: Model): Markup | undefined {
  if (document.servers.length === 0) return undefined;
  const alone = aloneText(document);
  const isNothing = left.length === 0 && alone === undefined;
  if (isNothing && pair === undefined) return undefined;
  return element(
    'section',
    { class: 'end', id: 'left' },
    element('h2', {}, pair === undefined ? 'Left alone' : 'Not different'),
    ...left.map(leftGroup),
    pair &&
      element('p', { class: 'dim' }, `${count(pair.equal, 'field')} equal.`),
    alone === undefined
      ? undefined
      : element('p', { class: 'dim' }, `${alone}.`),
  );
}

function leftGroup(left: Left): Markup {
  const { kind, words, fields, integrations } = left;
  const rows: Markup[] = [];
  for (const { name, fields: own } of integrations) {
    const cell = joined(own.map(leftField), ', ');
    rows.push(
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, name),
        element('td', {}, cell),
      ),
    );
  }
  return element(
    'details',
    { id: `left-${kind}` },
    element(
      'summary',
      {},
      element('b', {}, count(fields, 'field')),
      ` ${words}`,
    ),
    element('table', { class: 'plain' }, element('tbody', {}, ...rows)),
  );
}

function leftField({ field, servers, waiver, reference }: LeftOn): Child {
  const remarks: string[] = [];
  if (servers.length > 0) remarks.push(servers.join(', '));
  if (reference !== undefined) remarks.push(reference);
  if (waiver !== undefined) {
    const { reason, until } = waiver;
    const why = reason === undefined ? '' : `: ${reason}`;
    remarks.push(`until ${until}${why}`);
  }
  const code = element('code', {}, field);
  if (remarks.length === 0) return code;
  return [code, ' ', dim(`(${remarks.join('; ')})`)];
}
