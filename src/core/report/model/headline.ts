import { count, listed, phrase } from '../../findings/words.ts';
import { SERVER } from '../../model/per-server.ts';
import type { Document } from '../../plan/plan-document.ts';
import type { Typed } from '../report.ts';
import type { Cause } from './causes.ts';
import {
  countNames,
  type Fact,
  serversIn,
  serversText,
  sumOf,
  type Tallies,
  type Tally,
  type Tone,
} from './facts.ts';

/** What of a document decides the sentences about all of it. */
export interface Outline extends Tallies {
  document: Document;
  /** The risks that an apply would take; none after it. */
  risks: readonly Tally[];
  facts: readonly Fact[];
  errors: readonly Cause[];
  warnings: readonly Cause[];
  /** The names of integrations that errors leave out. */
  leftOut: readonly string[];
  /** What an apply refuses. */
  refused: readonly Cause[];
}

/**
 * The sentence at the top: how many changes there are, who made them, and
 * where.
 */
export function headlineOf(outline: Outline): string {
  const { document, facts, labels } = outline;
  const where = whereOf(document);
  if (facts.length === 0) return phrase([noneText(outline), where]);
  const noun = document.command === 'compare' ? 'difference' : 'change';
  const who = labels.map(({ facts: own, words }) => `${own.length} ${words}`);
  const integrations = count(countNames(facts), 'integration');
  return phrase([
    count(facts.length, noun),
    who.length > 0 && `(${who.join(', ')})`,
    `in ${integrations}`,
    where,
  ]);
}

function whereOf({ servers }: Document): string {
  const [server] = servers;
  if (server?.comparedWith !== undefined) {
    return `from ${server.comparedWith.name} to ${server.name}`;
  }
  const names = servers.map(({ name }) => name).filter((name) => name !== '');
  return names.length === 0 ? '' : `on ${serversText(names)}`;
}

/** Says that nothing changes, or only what was found. */
function noneText({ document, errors, warnings }: Outline): string {
  const { command, servers, complete } = document;
  if (servers.length === 0 && complete === undefined) {
    const found = [
      errors.length > 0 && count(errors.length, 'error'),
      warnings.length > 0 && count(warnings.length, 'warning'),
    ];
    return phrase(found, ' and ') || 'Nothing found';
  }
  if (command === 'diff') return 'No differences';
  if (command === 'undo') {
    return errors.length > 0 ? 'Nothing undone' : 'Nothing to undo';
  }
  if (command === 'compare') {
    const compared = sumOf(servers, 'managed');
    return compared > 0 ? 'No differences' : 'Nothing was compared';
  }
  if (servers.length === 0) return 'Nothing was planned';
  if (errors.length > 0) return 'No changes in what could be planned';
  // On several servers, one integration counts as often as it is managed.
  if (servers.length > 1) return 'Nothing to change';
  const managed = count(sumOf(servers, 'managed'), 'managed integration');
  return `Nothing to change in ${managed}`;
}

/** What stands for or against a plan, or how an apply ended. */
export interface Verdict {
  tone: Tone;
  text: string;
}

/**
 * The verdict on what is not written yet; undefined if there is nothing to
 * judge.
 */
export function verdictOf(outline: Outline): Verdict | undefined {
  const { document, facts, risks, errors, refused } = outline;
  const { command, servers, complete } = document;
  if (servers.length === 0) return undefined;
  if (refused.length > 0) return { tone: 'bad', text: 'Refused' };
  if (errors.length > 0 || complete === false) {
    return { tone: 'bad', text: 'Correct this first' };
  }
  if (command === 'compare') return undefined;
  if (command === 'diff') return { tone: 'dim', text: 'No server was asked' };
  if (command === 'undo') return { tone: 'dim', text: 'Nothing written' };
  if (facts.length === 0) return { tone: 'good', text: 'In sync' };
  if (risks.length > 0) return { tone: 'risk', text: 'Ready, with risks' };
  return { tone: 'good', text: 'Ready to apply' };
}

/**
 * How an apply ended, in a sentence each for what went well and what did not.
 */
export interface Result {
  verdict: Verdict;
  verb: 'written' | 'undone';
  /** `13 of 14 changes written (12 verified, 1 sent) on prod` */
  text: string;
  /** `4 failed on staging, 3 stale on staging`; empty if all went well. */
  open: string;
}

/** The result of an apply; undefined before it. */
export function resultOf(outline: Outline): Result | undefined {
  const { document, facts, outcomes } = outline;
  if (outcomes.length === 0) return undefined;
  const good: string[] = [];
  const open: string[] = [];
  let failed = 0;
  for (const { tone, words, facts: own } of outcomes) {
    if (tone === 'good') good.unshift(`${own.length} ${words}`);
    else {
      failed += own.length;
      open.push(`${own.length} ${words} on ${serversText(serversIn(own))}`);
    }
  }
  const isUndo = document.command === 'undo';
  const verb = isUndo ? 'undone' : 'written';
  // Of what an undo leaves, findings alone tell.
  const told = new Set(facts.map(({ change }) => change.address));
  const left: string[] = [];
  for (const { severity, addresses = [] } of document.diagnostics) {
    if (!isUndo || severity !== 'error') continue;
    left.push(...addresses.filter((address) => !told.has(address)));
  }
  if (left.length > 0) {
    const names = listed([...new Set(left)], 3);
    open.push(`${count(left.length, 'field')} left (${names})`);
    failed += left.length;
  }
  const all = facts.length + left.length;
  const text = phrase([
    `${all - failed} of ${count(all, 'change')} ${verb}`,
    good.length > 0 && `(${good.join(', ')})`,
    whereOf(document),
  ]);
  const verdict: Verdict =
    failed === 0
      ? { tone: 'good', text: `All ${verb}` }
      : { tone: 'bad', text: `${failed} of ${all} not ${verb}` };
  return { verdict, verb, text, open: open.join(', ') };
}

/** What a person types next. */
export interface NextStep {
  /** What comes before it; may be empty. */
  lead: string;
  command: string;
}

/** The command that follows, with what was typed before. */
export function nextOf(
  { document, facts, errors, refused }: Outline,
  result: Result | undefined,
  { flags, choices, live = '', json }: Typed = { flags: '', choices: '' },
): NextStep | undefined {
  const { command, base, servers } = document;
  if (!['plan', 'apply', 'diff'].includes(command)) return undefined;
  const onBase = base === undefined ? '' : ` --base ${base.ref}`;
  const planTo = (file: string | undefined): string => {
    const saving = file === undefined ? '' : ` --report json=${file}`;
    return `setpoint plan${onBase}${saving}${flags}${choices}`;
  };
  // That finding says how to finish it.
  if (errors.some(({ code }) => code === 'interrupted')) return undefined;
  if (result !== undefined) {
    if (result.open === '') return undefined;
    return { lead: 'Correct this, then', command: planTo(undefined) };
  }
  if (command !== 'diff' && refused.length + errors.length > 0) {
    return { lead: 'Correct this, then', command: planTo(json) + live };
  }
  if (facts.length === 0 || command === 'apply') return undefined;
  if (command === 'diff' || servers.some(({ snapshot }) => snapshot)) {
    return { lead: 'To ask the servers:', command: planTo('plan.json') };
  }
  return applyStep(base?.ref, { flags, choices, json });
}

/**
 * Applies a plan: the one that was saved, or what the merge of its branch
 * brings, hidden secrets too.
 */
function applyStep(
  ref: string | undefined,
  { flags, choices, json }: Typed,
): NextStep {
  // HEAD, and what was applied to each server, leave nothing to be merged.
  const isLater = ref !== undefined && ref !== 'HEAD' && !ref.includes(SERVER);
  const lead = isLater ? 'After the merge:' : '';
  if (json !== undefined) {
    return { lead, command: `setpoint apply ${json}${flags}` };
  }
  const base = ref === undefined ? '' : ` --base ${isLater ? 'HEAD~1' : ref}`;
  return { lead, command: `setpoint apply${base}${flags}${choices}` };
}
