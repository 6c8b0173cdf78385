import { findingHelp } from '../../findings/explain.ts';
import { minuteOf, snapshotText } from '../../findings/time.ts';
import { count, enumerated, listed } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import {
  type Document,
  type ServerDocument,
  shortCommit,
} from '../../plan/plan-document.ts';
import { refusalsIn } from '../../plan/refusals.ts';
import type { Detail } from '../report.ts';
import { type Section, sectionsOf } from './cards.ts';
import { type Cause, causesOf } from './causes.ts';
import {
  type Fact,
  factsOf,
  namesIn,
  OUTCOME_LOOKS,
  sumOf,
  type Tone,
  talliesOf,
} from './facts.ts';
import {
  headlineOf,
  type NextStep,
  nextOf,
  type Outline,
  type Result,
  resultOf,
  type Verdict,
  verdictOf,
} from './headline.ts';
import { type Left, leftOf, namedFacts, sameSecrets } from './left.ts';
import { type Matrix, matrixOf } from './matrix.ts';

/**
 * All that is decided about what a document shows: text, markdown and the page
 * only write it. All texts are foreign; each sink escapes them.
 */
export interface Model extends Outline {
  /** The sentence at the top. */
  headline: string;
  verdict: Verdict | undefined;
  /** How an apply ended; undefined before it. */
  result: Result | undefined;
  /** When it was made, and what it is compared with. */
  when: readonly string[];
  /** What needs a person, the worst first. */
  alerts: readonly Alert[];
  sections: readonly Section[];
  matrix: Matrix | undefined;
  /** The names of integrations of which all went well. */
  done: readonly string[];
  left: readonly Left[];
  next: NextStep | undefined;
}

/** What needs a person. */
export interface Alert {
  tone: Tone;
  title: string;
  causes: readonly Cause[];
}

/**
 * The model of a document; in full, equal integrations are apart and nothing is
 * cut.
 */
export function modelOf(
  document: Document,
  { full: isFull, typed }: Detail = {},
): Model {
  const servers = document.servers.map(({ name }) => name);
  const unplanned = document.servers.flatMap((server) => {
    const own = server.integrations.filter((each) => each.unplanned);
    return own.map(({ name }) => ({ server: server.name, name }));
  });
  const facts = factsOf(document);
  const tallies = talliesOf(facts);
  const isApplied = tallies.outcomes.length > 0;
  const causes = grouped(
    causesOf(document.diagnostics),
    ({ code, severity }) => (REMINDERS.has(code) ? 'reminder' : severity),
  );
  const outline: Outline = {
    document,
    facts,
    ...tallies,
    risks: isApplied ? [] : tallies.risks,
    errors: causes.get('error') ?? [],
    warnings: causes.get('warning') ?? [],
    leftOut: namesIn(unplanned),
    refused: causesOf(refusalsIn(document)),
  };
  const parts = grouped(facts, (fact) => {
    return isFull ? 'told' : partOf(fact, document.servers[0]);
  });
  const told = parts.get('told') ?? [];
  const named = [
    sameSecrets(document.servers),
    namedFacts('Secrets', 'with different values', parts.get('secret')),
    namedFacts('By name', "that hold their server's name", parts.get('name')),
  ];
  const shown = new Set(told.map(({ name }) => name));
  const result = resultOf(outline);
  return {
    ...outline,
    headline: headlineOf(outline),
    verdict: result?.verdict ?? verdictOf(outline),
    result,
    when: whenOf(document),
    alerts: alertsOf(outline, causes.get('reminder') ?? []),
    sections: sectionsOf(told, document, isFull),
    matrix: matrixOf(servers, facts, unplanned),
    done: isApplied ? namesIn(facts).filter((name) => !shown.has(name)) : [],
    left: [...leftOf(document), ...named].filter(({ size }) => size > 0),
    next: nextOf(outline, result, typed),
  };
}

/**
 * The part of a report that has a change. A comparison only names secrets, and
 * values that differ by the server's own name.
 */
function partOf(
  { server, change }: Fact,
  { comparedWith }: Partial<ServerDocument> = {},
): 'told' | 'done' | 'secret' | 'name' {
  const { before, after, secret, outcome } = change;
  if (outcome !== undefined && OUTCOME_LOOKS[outcome].tone === 'good') {
    return 'done';
  }
  if (comparedWith === undefined) return 'told';
  if (secret === true) return 'secret';
  const isText = typeof before === 'string';
  const isByName =
    isText && before.replaceAll(comparedWith.name, server) === after;
  return isByName ? 'name' : 'told';
}

/** What a review must not overlook: it is never in a fold. */
const REMINDERS: ReadonlySet<string> = new Set([
  'branch-behind',
  'loosened',
  'still-declared',
]);

/** What needs a person: what is refused, then errors, then reminders. */
function alertsOf(outline: Outline, reminders: readonly Cause[]): Alert[] {
  const { errors, refused } = outline;
  const title = 'Refused: nothing is written until this is lifted';
  const alerts: Alert[] = [
    { tone: 'bad', title, causes: refused },
    { tone: 'bad', title: errorsTitle(outline), causes: errors },
  ];
  for (const [code, causes] of grouped(reminders, (cause) => cause.code)) {
    const words = findingHelp(code)?.title ?? code;
    alerts.push({ tone: 'risk', title: words, causes });
  }
  return alerts.filter(({ causes }) => causes.length > 0);
}

/** The most names in a title. */
const MOST_NAMES = 6;

function errorsTitle({ document, errors, leftOut }: Outline): string {
  if (document.complete === false && document.command === 'plan') {
    return 'A server could not be planned: apply writes nothing without --keep-going';
  }
  if (leftOut.length > 0) {
    return `Left out, because of errors: ${listed(leftOut, MOST_NAMES)}`;
  }
  return count(errors.length, 'error');
}

/** When a document was made, what it is compared with, and what bounds it. */
function whenOf({
  createdAt,
  base,
  head,
  undone,
  shard,
  servers,
}: Document): string[] {
  const when: string[] = [];
  if (createdAt !== undefined) when.push(minuteOf(createdAt));
  if (undone !== undefined) {
    const { command, createdAt: time = 'an unknown time' } = undone;
    when.push(`takes back the ${command} of ${minuteOf(time)}`);
  }
  if (base !== undefined) when.push(`compared with ${revisionText(base)}`);
  if (head !== undefined) when.push(`shows ${revisionText(head)}`);
  const taken = snapshotTimes(servers);
  if (taken.length > 0) when.push(`from ${snapshotText(taken, createdAt)}`);
  if (shard !== undefined) when.push(`part ${shard.index} of ${shard.count}`);
  const [{ only, allowedChanges, allowedRisks, comparedWith } = {}] = servers;
  if (comparedWith !== undefined) {
    when.push(`${count(sumOf(servers, 'equal'), 'field')} equal`);
  }
  if (only !== undefined) when.push(`only ${only}`);
  if (allowedChanges !== undefined) {
    when.push(`at most ${count(allowedChanges, 'integration')} may change`);
  }
  if (allowedRisks !== undefined) {
    when.push(`${enumerated(allowedRisks)} allowed`);
  }
  return when;
}

/** When the snapshots that stand for servers were taken. */
function snapshotTimes(servers: readonly ServerDocument[]): string[] {
  const taken: string[] = [];
  for (const { snapshot, comparedWith } of servers) {
    for (const side of [comparedWith?.snapshot, snapshot]) {
      if (side !== undefined) taken.push(side.takenAt);
    }
  }
  return taken;
}

/** A ref with the start of its commit. */
function revisionText({ ref, commit }: NonNullable<Document['base']>): string {
  if (commit === undefined) return ref;
  const short = shortCommit(commit);
  return ref === commit ? short : `${ref} (${short})`;
}
