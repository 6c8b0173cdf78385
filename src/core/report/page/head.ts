import { count, enumerated } from '../../findings/words.ts';
import { allowedText } from '../model/alone.ts';
import { TONES } from '../model/card.ts';
import type { CellTone } from '../model/matrix.ts';
import { type Model, minuteOf } from '../model/model.ts';
import { type Child, element, joined, type Markup } from './markup.ts';
import { dim, worstFirst } from './parts.ts';

/** The most servers that the title names. */
const MOST_SERVERS = 3;

/** What a document says, where, when, and what stands for or against it. */
export function headOf(model: Model): Markup {
  return element(
    'header',
    { class: 'top wrap' },
    element('p', { class: 'dim' }, joined(originOf(model), ' · ')),
    element(
      'div',
      { class: 'verdict' },
      element('h1', {}, headlineOf(model)),
      verdictOf(model),
    ),
    sharesOf(model),
    asideOf(model),
  );
}

/** The command and its time, and what the servers are compared with. */
function originOf({ document, basis }: Model): Child[] {
  const { command, createdAt, servers, shard } = document;
  const parts: Child[] = [`setpoint ${command}`];
  if (createdAt !== undefined) {
    const shown = minuteOf(createdAt);
    const time = element('time', { datetime: createdAt }, shown);
    parts.push([time, element('span', { id: 'age' })]);
  }
  parts.push(...basis);
  const globs = new Set<string>();
  for (const { only } of servers) if (only !== undefined) globs.add(only);
  for (const glob of globs) parts.push(['only ', element('code', {}, glob)]);
  const allowed = allowedText(document);
  if (allowed !== undefined) parts.push(allowed);
  if (shard !== undefined) {
    parts.push(`part ${shard.index} of ${shard.count}`);
  }
  return parts;
}

function headlineOf({ headline, document, pair }: Model): Child {
  if (pair !== undefined) {
    const { before, after } = pair;
    return [
      `${headline} `,
      dim('between'),
      ` ${before} `,
      dim('and'),
      ` ${after}`,
    ];
  }
  const names = document.servers.map(({ name }) => name);
  if (names.length === 0) return headline;
  const isFew = names.length <= MOST_SERVERS;
  const where = isFew ? enumerated(names) : count(names.length, 'server');
  return [`${headline} `, dim('on'), ` ${where}`];
}

function verdictOf({ verdict }: Model): Markup | undefined {
  if (verdict === undefined) return undefined;
  const { tone, text } = verdict;
  return element('span', { class: `tag big ${tone}` }, text);
}

/** A part of all changes. */
interface Share {
  readonly look: CellTone;
  readonly count: number;
}

/** The length of the bar; the page stretches it. */
const BAR = 1_000;

/** A bar of who moved the fields, or of what became of them. */
function sharesOf(model: Model): Markup | undefined {
  const shares = shareCounts(model);
  if (shares.length < 2) return undefined;
  const parts: Markup[] = [];
  let x = 0;
  for (const { look, count: number } of shares) {
    const width = (number * BAR) / model.tallies.changes;
    parts.push(element('rect', { class: look, x, width, height: 8 }));
    x += width;
  }
  return element(
    'svg',
    {
      class: 'shares',
      viewBox: `0 0 ${BAR} 8`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    ...parts,
  );
}

function shareCounts({ isApplied, hasBase, tallies }: Model): Share[] {
  const shares: Share[] = [];
  if (isApplied) {
    for (const { name, count: number } of worstFirst(tallies)) {
      shares.push({ look: TONES[name], count: number });
    }
  } else if (hasBase) {
    for (const { name, count: number } of tallies.labels) {
      shares.push({ look: name, count: number });
    }
  }
  return shares;
}

/** Links to what stands at the end of the page. */
function asideOf({ left, findings, document }: Model): Markup | undefined {
  const links: Markup[] = [];
  for (const { kind, words, fields } of left) {
    const text = `${count(fields, 'field')} ${words}`;
    links.push(element('a', { href: `#left-${kind}` }, text));
  }
  let warnings = 0;
  for (const { severity, causes } of findings) {
    if (severity === 'warning') warnings += causes.length;
  }
  // Without servers the title counts them.
  if (warnings > 0 && document.servers.length > 0) {
    const words = count(warnings, 'warning');
    links.push(element('a', { href: '#warnings' }, words));
  }
  if (links.length === 0) return undefined;
  return element('p', { class: 'dim aside' }, 'Also: ', joined(links, ', '));
}
