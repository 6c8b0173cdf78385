import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { effectOf, isPermission, type LivePermission } from '../../model/permission.ts';
import type {
  FieldVerdict,
  LeftOut,
  Shown,
  ShownAbsence,
  ShownIntegration,
  ShownOption,
  ShownSetting,
} from '../../show/shown.ts';
import { forTerminal } from '../escape.ts';
import { fieldLines, usesLines } from './show-fields.ts';
import {
  briefly,
  declaredText,
  headWords,
  indented,
  lineOf,
  placeText,
  type ShowView,
  shortText,
} from './show-values.ts';

/** What is there and where it comes from. Ends with a newline unless it is empty. */
export function renderShown(shown: Shown, view: ShowView): string {
  const own = {
    ...view,
    isOne: shown.servers.length === 1,
    fresh: new Set(shown.servers.flatMap(({ name, live }) => (live === 'catalog' ? [name] : []))),
  };
  const alike = grouped(shown.integrations, (each) => JSON.stringify({ ...each, server: '' }));
  const notes = [
    ...legend(shown),
    ...shown.absent.map(absenceWords),
    ...unaskedWords(shown),
    ...shown.leftOut.map(leftOutWords),
  ].flatMap((note) => indented(note, 0, view));
  const blocks = [
    ...[...alike.values()].flatMap((group) => integrationLines(group, own)),
    ...shown.fields.map((each) => fieldLines(each, view)),
    ...shown.uses.map((each) => usesLines(each, view)),
    ...(notes.length === 0 ? [] : [notes]),
  ];
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

interface IntegrationView extends ShowView {
  /** Whether there is one server alone. */
  readonly isOne: boolean;
  /** The servers of which only a catalog is known. */
  readonly fresh: ReadonlySet<string>;
}

/** How an option stands, in the order of what matters more. */
const MARKS = {
  differs: { mark: '~', words: '~ differs' },
  'cannot-tell': { mark: '?', words: '? cannot tell' },
  managed: { mark: '*', words: '* managed' },
  'as-desired': { mark: '=', words: '= as desired' },
  unmanaged: { mark: ' ', words: 'no mark: not managed' },
} as const satisfies Record<FieldVerdict | 'managed' | 'unmanaged', object>;

type Standing = keyof typeof MARKS;

const STANDINGS = Object.keys(MARKS) as readonly Standing[];

/** One integration, on all servers that have the same to show of it. */
function integrationLines(group: readonly ShownIntegration[], view: IntegrationView): string[][] {
  const [first] = group;
  if (first === undefined) return [];
  const { name, displayName, acronym, description, options } = first;
  const about = [displayName, acronym === undefined ? undefined : `(${acronym})`].flatMap(
    (each) => each ?? [],
  );
  const servers = view.isOne ? [] : [`on ${group.map(({ server }) => forTerminal(server)).join(', ')}`];
  const head = [...servers, ...headWords(first)].join(', ');
  const lines = [
    ...titleLines(forTerminal(name), about.map(forTerminal).join('  '), view),
    ...(head === '' ? [] : indented(head, 2, view)),
    ...(description === undefined ? [] : briefly(description, 2, view)),
    ...indented(`managed by ${entriesText(first)}`, 2, view),
    ...autosubscribeLines(first, view),
  ];
  return [
    lines,
    options.length === 0
      ? ['  No options are known.']
      : options.flatMap((option) => optionLines(option, first, view)),
  ];
}

/** What an integration is called, on one line where there is room. */
function titleLines(name: string, about: string, view: ShowView): string[] {
  const start = view.paint.strong(name);
  if (about === '') return [start];
  return `${name}  ${about}`.length <= view.width
    ? [`${start}  ${about}`]
    : [start, ...indented(about, 2, view)];
}

function entriesText({ entries }: ShownIntegration): string {
  const texts = entries.map(({ entry, isDefault, isUncertain, source }) => {
    const kind = isDefault ? ` (${isUncertain ? 'perhaps ' : ''}defaults)` : '';
    return `${forTerminal(entry)}${kind} ${lineOf(source)}`;
  });
  return texts.length === 0 ? 'no entry' : texts.join(', ');
}

function autosubscribeLines(
  { autosubscribe: { live, managed } }: ShownIntegration,
  view: ShowView,
): string[] {
  if (live === undefined && managed === undefined) return [];
  const { mark } = MARKS[managed?.verdict ?? (managed === undefined ? 'unmanaged' : 'managed')];
  const value = bothSides(live === undefined ? undefined : String(live), managed, view).join(' ');
  const place = managed === undefined ? '' : `, managed in ${lineOf(managed.source)}`;
  return [`  autosubscribe${mark.trim() === '' ? '' : ` ${mark}`} ${value}${place}`];
}

/** A block of one option: its value, then what is known of it, then what it is for. */
function optionLines(option: ShownOption, { server }: ShownIntegration, view: IntegrationView): string[] {
  const { option: key, type, multiple, live, managed, title, description } = option;
  const kind = multiple === true ? 'multi-select' : type;
  const { mark } = MARKS[standingOf(option)];
  const shown = forTerminal(key);
  const lead = [`  ${mark} ${shown}`, ...(kind === undefined ? [] : [forTerminal(kind)])];
  const sides = bothSides(live && shortText(live, view), managed.value, view);
  const whole = [...lead, ...(sides.length === 0 ? [] : [sides.join(' ')])].join('  ');
  const [start = '', ...rest] = whole.length <= view.width ? [whole] : [lead.join('  '), ...sides];
  const facts = factsOf(option, view.fresh.has(server), view);
  const about = [title, description].filter((each) => each !== undefined && each !== key);
  return [
    `  ${mark} ${view.paint.strong(shown)}${start.slice(4 + shown.length)}`,
    ...rest.flatMap((side) => indented(side, 6, view)),
    ...(facts.length === 0 ? [] : indented(facts.join('; '), 6, view)),
    ...(about.length === 0 ? [] : briefly(about.join(': '), 6, view)),
  ];
}

function standingOf({ managed: { value, permission } }: ShownOption): Standing {
  const found = [value, permission].flatMap((each) =>
    each === undefined ? [] : [each.verdict ?? 'managed'],
  );
  return STANDINGS.find((each) => found.some((standing) => standing === each)) ?? 'unmanaged';
}

/** The live side, then the desired one where it is another or nothing is known of the live one. */
function bothSides(live: string | undefined, managed: ShownSetting | undefined, view: ShowView): string[] {
  if (managed === undefined) return live === undefined ? [] : [live];
  const desired = declaredText(managed.declared, view);
  if (live === undefined) return [desired];
  return managed.verdict === 'as-desired' ? [live] : [live, `-> ${desired}`];
}

function factsOf(option: ShownOption, isFresh: boolean, view: ShowView): string[] {
  const { permission, choices, default: initial, managed, stoppedAt } = option;
  const settings = [managed.value, managed.permission].flatMap((each) => each ?? []);
  const places = [...new Set(settings.map(({ source }) => lineOf(source)))].join(' and ');
  const reference = managed.value?.verdict === 'as-desired' ? managed.value.declared.reference : undefined;
  const as = reference === undefined ? '' : ` as ${forTerminal(reference)}`;
  return [
    ...permissionWords(permission, managed.permission, isFresh),
    ...(initial === undefined || initial.kind === 'empty' ? [] : [`default ${shortText(initial, view)}`]),
    ...(choices.length === 0 ? [] : [`choices ${choices.map(({ value }) => forTerminal(value)).join(', ')}`]),
    ...(stoppedAt === undefined ? [] : [`no longer managed since ${lineOf(stoppedAt)}`]),
    ...(places === '' ? [] : [`managed in ${places}${as}`]),
  ];
}

function permissionWords(
  live: ShownOption['permission'],
  managed: ShownSetting | undefined,
  isFresh: boolean,
): string[] {
  const held =
    live === undefined || live === 'unknown' ? [] : [`${inWords(live)}${isFresh ? ' by default' : ''}`];
  const desired = managed?.declared.value;
  const asked =
    typeof desired === 'string' && isPermission(desired) && desired !== live ? [inWords(desired)] : [];
  const words = [...held, ...asked];
  return words.length === 0 ? [] : [words.join(' -> ')];
}

function inWords(permission: LivePermission): string {
  return `${permission} (${effectOf(permission)})`;
}

/** What the marks mean that stand before options. */
function legend({ integrations }: Shown): string[] {
  const standings = new Set(integrations.flatMap(({ options }) => options.map(standingOf)));
  const words = STANDINGS.filter((each) => standings.has(each)).map((each) => MARKS[each].words);
  const options = integrations.reduce((sum, each) => sum + each.options.length, 0);
  if (options === 0) return [];
  const isNoneManaged = standings.size === 1 && standings.has('unmanaged');
  return [`${count(options, 'option')}: ${isNoneManaged ? 'none is managed' : words.join(', ')}.`];
}

function leftOutWords({ server, source }: LeftOut): string {
  const place = source === undefined ? '' : ` at ${placeText(source)}`;
  return `${forTerminal(server)} is left out: its configuration has an error${place}. setpoint validate tells which.`;
}

function absenceWords({ word, on }: ShownAbsence): string {
  return `Nothing on ${on.map(forTerminal).join(', ')} is called ${forTerminal(word)}: no entry, and nothing installed.`;
}

/** Which of the servers that are shown were not asked. */
function unaskedWords({ servers, integrations, fields }: Shown): string[] {
  const shown = new Set([...integrations, ...fields.flatMap(({ on }) => on)].map(({ server }) => server));
  const unasked = servers.filter(({ live }) => live === 'not-asked' || live === 'catalog');
  const about = unasked.filter(({ name }) => shown.has(name));
  if (about.length === 0) return [];
  const names = about.map(({ name }) => forTerminal(name)).join(', ');
  const subject =
    unasked.length === servers.length
      ? 'No server was'
      : `${names} ${about.length === 1 ? 'was' : 'were'} not`;
  const instead = about.every(({ live }) => live === 'catalog')
    ? 'options and defaults are those of the catalog'
    : '--server or --url shows what is live';
  return [`${subject} asked: ${instead}.`];
}
