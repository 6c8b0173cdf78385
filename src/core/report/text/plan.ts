import widthOf from 'fast-string-width';
import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../plan/plan.ts';
import { RISK_NAMES } from '../../plan/risk.ts';
import { changeLines } from '../change.ts';
import { forLog, visible } from '../escape.ts';
import { alikeServers } from '../groups.ts';
import type { View } from '../report.ts';
import { changesOf, factsOf, outcomesText, totalText } from '../totals.ts';
import { filled, fold } from '../wrap.ts';

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

type Alike = ReturnType<typeof alikeServers>[number];
type Group = Alike['sections'][number]['groups'][number];
type Compared = ReturnType<typeof changeLines>;

/** The changes of all servers, before or after an apply, then what they come to. */
export function renderText(document: Document, view: View): string {
  const servers = view.outcomes
    ? document.servers.map(attemptedOn)
    : document.servers;
  // A person has seen the plan: one that was declined is not shown again.
  if (
    view.outcomes &&
    servers.every(({ integrations }) => integrations.length === 0)
  )
    return '';
  const groups = alikeServers({ ...document, servers }, view.full);
  const shown = groups.flatMap((alike) => {
    const blocks = view.outcomes
      ? outcomeLines(alike.integrations, view)
      : sectionLines(alike, document, view);
    const isQuiet = blocks.length === 0 && groups.length > 1;
    return [
      ...titleLines(alike, view),
      '',
      ...(isQuiet ? ['No changes.', ''] : blocks),
    ];
  });
  return forLog([...shown, ...totalLines(document, view), ''].join('\n'));
}

/** A server with only the integrations that an apply got to. */
function attemptedOn(server: ServerDocument): ServerDocument {
  const isAttempted = ({ changes }: IntegrationDocument) =>
    changes.some(({ outcome }) => outcome);
  return { ...server, integrations: server.integrations.filter(isAttempted) };
}

/** The names of servers that have the same to show, and what they are compared with. */
function titleLines({ servers, basis }: Alike, { paint }: View): string[] {
  const names = servers.map(({ name, url }) => {
    const isHost = /^https?:\/\/([^/]*)/.exec(url)?.[1] === name;
    const [start = '', ...others] = [isHost ? '' : name, url]
      .filter((text) => text !== '')
      .map(visible);
    return [paint.strong(start), ...others].join('  ');
  });
  const below = basis.flatMap(([title, on]) =>
    on.map((name) => `${title} ${name}.`),
  );
  return [...names, ...below.map((text) => paint.faint(visible(text)))];
}

/** The changes of a server, those of the branch first. */
function sectionLines(
  { sections }: Alike,
  { base }: Document,
  view: View,
): string[] {
  const isLabelled =
    base !== undefined && sections.some(({ label }) => label !== 'change');
  return sections.flatMap(({ title, groups }) => [
    ...(isLabelled ? [view.paint.strong(title), ''] : []),
    ...groups.flatMap((group) => groupLines(group, view)),
  ]);
}

function groupLines(
  { first, names, isRunning, changes }: Group,
  view: View,
): string[] {
  const { paint, width } = view;
  const isNamed = names.length > 1 || first.name === first.id;
  const title = [
    paint.strong(
      filled(
        visible(listed(names)),
        width,
        2,
        `${isRunning ? '~' : '!'} `,
      ).join('\n'),
    ),
    ...(isNamed ? [] : [paint.faint(visible(first.id))]),
    ...(isRunning ? [] : [paint.risk(`(${visible(first.status ?? '')})`)]),
    ...outcomeText(first.changes, view),
  ].join('  ');
  const isMixed = new Set(first.changes.map(({ outcome }) => outcome)).size > 1;
  const named = changes.map(({ change, field, place }) => {
    const { outcome } = change;
    return {
      change,
      name: isMixed && outcome ? `${field} [${outcome}]` : field,
      place,
    };
  });
  return [title, ...renderChanges(named, view), ''];
}

/** The lines of changes, each with its name; places stand in a column. */
function renderChanges(
  changes: readonly {
    readonly change: ChangeDocument;
    readonly name: string;
    readonly place: string;
  }[],
  view: View,
): string[] {
  const { paint, width } = view;
  const column = Math.max(...changes.map(({ name }) => widthOf(name)));
  const all = changes.map(({ change, name, place }) => ({
    place: visible(place),
    ...changeText(change, padded(visible(name), column), view),
  }));
  const fits = (columns: number, place: string) =>
    columns + 2 + widthOf(place) <= width;
  const widest = Math.max(
    ...all.map(({ head, place }) =>
      fits(widthOf(head), place) ? widthOf(head) : 0,
    ),
  );
  return all.flatMap(({ head, place, below }) => {
    const at = paint.faint(place);
    if (!fits(widthOf(head), place))
      return [head.trimEnd(), `      ${at}`, ...below];
    return [
      `${fits(widest, place) ? padded(head, widest) : head}  ${at}`,
      ...below,
    ];
  });
}

/** A text with spaces up to so many columns. */
function padded(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;
}

/** How a change begins, with both sides if they fit, and what stands below. */
function changeText(change: ChangeDocument, name: string, view: View) {
  const { width } = view;
  const compared = changeLines(change, view.full);
  const lead = `    ${leadMark(compared, view)} ${name}`;
  const both = inOneLine(compared, view);
  const head = both === undefined ? lead : `${lead}  ${both}`;
  const below = compared.notes.flatMap(({ mark, text }) =>
    filled(visible(`${mark} ${text}`), width, 6).map(paintsOf(view)[mark]),
  );
  if (both !== undefined && widthOf(head) <= width) return { head, below };
  return {
    head: lead,
    below: [
      ...diffText(compared, view).map((line) => `        ${line}`),
      ...below,
    ],
  };
}

/** The mark before the name of a change: it comes, goes, or differs. */
function leadMark({ isUnset, isReleased }: Compared, { paint }: View): string {
  if (isUnset) return paint.add('+');
  return isReleased ? paint.remove('-') : paint.change('~');
}

/** Both sides in one line: members of a list with their marks, or one or two values. Undefined for texts of several lines. */
function inOneLine(
  { sides, isList }: Compared,
  view: View,
): string | undefined {
  const { paint, full } = view;
  if (isList)
    return sides
      .map(({ mark, text }) =>
        paintsOf(view)[mark](`${mark}${fold(text, '', full)}`),
      )
      .join(' ');
  const marks = sides.map(({ mark }) => mark).join('');
  const [from = '', to = ''] = sides.map(({ text, counterpart }) =>
    fold(text, counterpart, full),
  );
  if (marks === '+') return paint.add(from);
  if (marks === '-#') return `${from} -> ${paint.faint(to)}`;
  return marks === '-+' ? `${from} -> ${paint.add(to)}` : undefined;
}

function paintsOf({ paint }: View) {
  return {
    '-': paint.remove,
    '+': paint.add,
    ' ': paint.faint,
    '#': paint.faint,
    '!': paint.risk,
  };
}

/** The lines of a comparison, with marks below the parts that changed. */
function diffText({ sides }: Compared, view: View): string[] {
  const { full = false } = view;
  const all = sides.flatMap(({ mark, text, counterpart }) => {
    const shown = fold(text, counterpart, full);
    const marks =
      mark === '+' && counterpart !== undefined
        ? markOf(shown, fold(counterpart, text, full))
        : [];
    return [`${mark} ${shown}`, ...marks].map(paintsOf(view)[mark]);
  });
  const rest = all.length - LONGEST_DIFF;
  return full || rest <= 0
    ? all
    : [...all.slice(0, LONGEST_DIFF), `  (${count(rest, 'more line')})`];
}

/** Marks below a line where it differs from another; none if little is equal, or columns are unknown. */
function markOf(shown: string, other: string): string[] {
  const start = equalAtStart(shown, other);
  const end = equalAtStart(
    reversed(shown.slice(start)),
    reversed(other.slice(start)),
  );
  const differs = shown.length - start - end;
  if (!/^[ -~]*$/.test(shown) || shown === other || start + end < differs)
    return [];
  return [`  ${' '.repeat(start)}${'^'.repeat(Math.max(1, differs))}`];
}

function equalAtStart(a: string, b: string): number {
  const differs = a.split('').findIndex((character, at) => character !== b[at]);
  return differs < 0 ? a.length : differs;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** What became of changes, in brackets: an outcome, or how many have each. Nothing before an apply. */
function outcomeText(
  changes: readonly ChangeDocument[],
  { paint }: View,
): string[] {
  const outcomes = [
    ...new Set(changes.flatMap(({ outcome }) => outcome ?? [])),
  ];
  const isGood = outcomes.every((outcome) => outcome === 'verified');
  const text =
    outcomes.length === 1 ? outcomes.join('') : outcomesText(changes);
  return text === '' ? [] : [`[${(isGood ? paint.add : paint.risk)(text)}]`];
}

/** What became of the changes, without their values: a person has seen them. */
function outcomeLines(
  integrations: readonly IntegrationDocument[],
  view: View,
): string[] {
  const groups = grouped(integrations, ({ changes }) =>
    outcomeText(changes, view).join(''),
  );
  return [...groups].flatMap(([outcome, found]) => {
    const names = found.map(({ name }) => name);
    return [
      `${count(found.length, 'integration')}  ${outcome}`,
      ...filled(visible(listed(names)), view.width, 4),
      '',
    ];
  });
}

/** The counts over all servers, the refusals of an apply, and the fields that are not compared or left alone. */
function totalLines(document: Document, view: View): string[] {
  const { servers, command, loosened = [] } = document;
  const { paint, width, full, verbose } = view;
  const total = filled(totalText(document), width);
  if (view.outcomes) return total;
  const only = servers.find((server) => server.only !== undefined)?.only;
  const left = command === 'diff' ? 0 : sumOf(servers, 'unmanagedOptions');
  const refused = new Set(
    servers.flatMap((server) => server.refusals.map(({ code }) => code)),
  );
  // The findings say more of them.
  const refusals =
    refused.size === 0
      ? []
      : [`Apply refuses this: ${[...refused].join(', ')}.`];
  return [
    ...risks(servers),
    ...[...refusals, ...loosened].flatMap((text) =>
      filled(`! ${visible(text)}`, width).map(paint.risk),
    ),
    ...total,
    ...factsOf(document).aside.flatMap(([title, names]) => [
      ...filled(`${title}:`, width),
      ...filled(visible(listed(names, full ? names.length : 20)), width, 4),
    ]),
    ...(only === undefined ? [] : [`Limited by --only ${visible(only)}.`]),
    ...(left === 0
      ? []
      : [`Left alone: ${count(left, 'option')} that no file declares.`]),
    ...(verbose
      ? [
          `Requests: ${sumOf(servers, 'reads')} to read; an apply would send ${sumOf(servers, 'writes')} to write.`,
        ]
      : []),
  ];
}

/** A count of the summaries of servers, in all. */
function sumOf(
  servers: readonly ServerDocument[],
  of: keyof ServerDocument['summary'],
): number {
  return servers.reduce((total, { summary }) => total + summary[of], 0);
}

/** How many changes have each risk, before an apply. */
function risks(servers: readonly ServerDocument[]): string[] {
  const open = changesOf(servers).filter(
    ({ outcome }) => outcome === undefined,
  );
  const numbers = RISK_NAMES.map((risk) => [
    risk,
    open.filter((each) => each.risks.includes(risk)).length,
  ]);
  const texts = numbers.flatMap(([risk, number]) =>
    number ? `${risk} ${number}` : [],
  );
  return texts.length === 0 ? [] : [`Risks: ${texts.join(', ')}.`];
}
