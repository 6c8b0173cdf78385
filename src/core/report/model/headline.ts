import { count, enumerated } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import type { Typed } from '../report.ts';
import type { Cause } from './causes.ts';
import { type Fact, namesIn } from './facts.ts';
import { serversText } from './servers.ts';
import type { Tallies, Tally } from './tallies.ts';
import { isGood, type Tone } from './tones.ts';

/** The sentence at the top, in parts: `5 changes` `in 1 integration` `on prod`. */
export interface Headline {
  readonly what: string;
  readonly parts: readonly string[];
  readonly scope: string;
  readonly where: string;
}

/** What stands for or against a plan, or how an apply ended. */
export interface Verdict {
  readonly tone: Tone;
  readonly text: string;
}

/** What a person types next. */
export interface NextStep {
  /** What comes before it; may be empty. */
  readonly lead: string;
  readonly command: string;
  /** Whether the command takes the plan that this one saved, or saves one. */
  readonly plan?: 'applied' | 'saved' | undefined;
}

/** A next step as a person types it. */
export function commandOf(
  { command, plan }: NextStep,
  { flags, json }: Typed = { flags: '' },
): string {
  if (plan === undefined || json === undefined) return `${command}${flags}`;
  const file = plan === 'applied' ? json : `--report json=${json}`;
  return `${command} ${file}${flags}`;
}

/** What of a document decides the sentences about all of it. */
export interface Outline {
  readonly document: Document;
  readonly facts: readonly Fact[];
  readonly tallies: Tallies;
  readonly errors: readonly Cause[];
  readonly warnings: readonly Cause[];
  /** The integrations that errors leave out. */
  readonly leftOut: readonly string[];
  /** What an apply refuses. */
  readonly refused: readonly Cause[];
}

/** How many changes there are, of which kinds, and where. */
export function headlineOf(
  { document, facts, tallies, errors, warnings }: Outline,
  kinds: readonly string[],
): Headline {
  const where = whereOf(document);
  if (facts.length === 0) {
    const what = noneText(document, errors, warnings);
    return { what, parts: [], scope: '', where };
  }
  const noun = document.command === 'compare' ? 'difference' : 'change';
  const names = namesIn(facts);
  return {
    what: count(facts.length, noun),
    parts: kinds.length > 0 ? kinds : partsOf(tallies.labels),
    scope: `in ${count(names.length, 'integration')}`,
    where,
  };
}

/** Numbers of a kind; none if there is one kind only. */
function partsOf(tallies: readonly Tally[]): string[] {
  if (tallies.length < 2) return [];
  return tallies.map(({ changes, words }) => `${changes} ${words}`);
}

/** The headline as one sentence. */
export function sentenceOf({ what, parts, scope, where }: Headline): string {
  const kinds = parts.length === 0 ? '' : `(${parts.join(', ')})`;
  return [what, kinds, scope, where].filter((part) => part !== '').join(' ');
}

function whereOf({ servers }: Document): string {
  const [server] = servers;
  if (server?.comparedWith !== undefined) {
    return `between ${server.comparedWith.name} and ${server.name}`;
  }
  const names = servers.map(({ name }) => name).filter((name) => name !== '');
  return names.length === 0 ? '' : `on ${serversText(names)}`;
}

/** Says that nothing changes, or only what was found. */
function noneText(
  { command, servers, complete }: Document,
  errors: readonly Cause[],
  warnings: readonly Cause[],
): string {
  const managed = servers.reduce(
    (sum, { summary }) => sum + summary.managed,
    0,
  );
  if (servers.length === 0 && complete === undefined) {
    return foundText(errors, warnings);
  }
  if (command === 'compare') {
    return managed === 0 ? 'Nothing was compared' : 'No differences';
  }
  if (command === 'undo') return 'Nothing to undo';
  if (command === 'diff') return 'No differences';
  if (servers.length === 0) return 'Nothing was planned';
  if (errors.length > 0) return 'No changes in what could be planned';
  return `Nothing to change in ${count(managed, 'managed integration')}`;
}

function foundText(
  errors: readonly Cause[],
  warnings: readonly Cause[],
): string {
  const found: string[] = [];
  if (errors.length > 0) found.push(count(errors.length, 'error'));
  if (warnings.length > 0) found.push(count(warnings.length, 'warning'));
  return found.length === 0 ? 'Nothing found' : enumerated(found);
}

/** The verdict on a document; undefined if there is nothing to judge. */
export function verdictOf(outline: Outline): Verdict | undefined {
  const { document, facts, tallies, errors, leftOut, refused } = outline;
  const { command, servers, complete } = document;
  if (servers.length === 0) return undefined;
  if (tallies.outcomes.length > 0) return verdictAfter(outline);
  if (refused.length > 0) {
    const who = command === 'undo' ? 'Undo' : 'Apply';
    return { tone: 'bad', text: `${who} refuses this` };
  }
  if (complete === false) {
    return { tone: 'bad', text: 'A server could not be planned' };
  }
  if (leftOut.length > 0) {
    return {
      tone: 'bad',
      text: `${count(leftOut.length, 'integration')} left out`,
    };
  }
  if (errors.length > 0) return { tone: 'bad', text: 'Correct this first' };
  if (command === 'compare') return undefined;
  if (command === 'diff') return { tone: 'dim', text: 'No server was asked' };
  if (command === 'undo') return { tone: 'dim', text: 'Nothing written' };
  if (facts.length === 0) return { tone: 'good', text: 'In sync' };
  if (tallies.risks.length > 0)
    return { tone: 'risk', text: 'Ready, with risks' };
  return { tone: 'good', text: 'Ready to apply' };
}

function verdictAfter(outline: Outline): Verdict {
  const { document, facts, tallies } = outline;
  const done = document.command === 'undo' ? 'undone' : 'written';
  const kept = keptIn(outline);
  const open = openIn(tallies) + kept;
  if (open === 0) return { tone: 'good', text: `All ${done}` };
  return { tone: 'bad', text: `${open} of ${facts.length + kept} not ${done}` };
}

/** How an apply ended, in a sentence each for what went well and what did not. */
export interface Result {
  readonly verb: 'written' | 'undone';
  /** `13 of 14 changes written (12 verified, 1 sent)` */
  readonly text: string;
  /** `4 failed on staging, 3 stale on staging`; empty if all went well. */
  readonly open: string;
}

/** The result of an apply; undefined before it. */
export function resultOf(outline: Outline): Result | undefined {
  const { document, facts, tallies } = outline;
  if (tallies.outcomes.length === 0) return undefined;
  const verb = document.command === 'undo' ? 'undone' : 'written';
  const good: string[] = [];
  const open: string[] = [];
  for (const { key, changes, words, servers } of tallies.outcomes) {
    if (isGood(key)) good.unshift(`${changes} ${words}`);
    else open.push(`${changes} ${words} on ${serversText(servers)}`);
  }
  const kept = keptIn(outline);
  if (kept > 0) open.push(`${count(kept, 'field')} left`);
  const done = facts.length - openIn(tallies);
  const all = count(facts.length + kept, 'change');
  const how = good.length === 0 ? '' : ` (${good.join(', ')})`;
  return {
    verb,
    text: `${done} of ${all} ${verb}${how}`,
    open: open.join(', '),
  };
}

/** How many fields an undo leaves, as its report does not hold them. */
function keptIn({ document, errors }: Outline): number {
  return document.command === 'undo' ? fieldsIn(errors) : 0;
}

/** How many changes did not end well. */
function openIn({ outcomes }: Tallies): number {
  let open = 0;
  for (const { key, changes } of outcomes) if (!isGood(key)) open += changes;
  return open;
}

/** How many fields findings are about. */
function fieldsIn(causes: readonly Cause[]): number {
  const fields = new Set<string>();
  for (const { addresses } of causes) {
    for (const address of addresses) fields.add(address);
  }
  return fields.size;
}

/** The command that follows, as a person types it. */
export function nextOf(outline: Outline): NextStep | undefined {
  const { document, facts, tallies, errors, refused } = outline;
  const { command, base } = document;
  const plan =
    base === undefined ? 'setpoint plan' : `setpoint plan --base ${base.ref}`;
  if (tallies.outcomes.length > 0) {
    if (command === 'undo' || openIn(tallies) === 0) return undefined;
    return { lead: 'Correct this, then', command: plan };
  }
  if (command === 'plan' && refused.length + errors.length > 0) {
    const lead =
      refused.length > 0 ? 'Correct or allow this, then' : 'Correct this, then';
    return { lead, command: plan, plan: 'saved' };
  }
  if (facts.length === 0) return undefined;
  if (command === 'diff') {
    const saving = `${plan} --report json=plan.json`;
    return { lead: 'To ask the servers:', command: saving };
  }
  if (command !== 'plan') return undefined;
  if (base === undefined) return { lead: '', command: 'setpoint apply' };
  return {
    lead: 'After the merge:',
    command: 'setpoint apply',
    plan: 'applied',
  };
}
