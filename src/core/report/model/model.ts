import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type {
  Document,
  RefusalDocument,
  ServerDocument,
} from '../../plan/plan.ts';
import { shortCommit } from '../../plan/plan.ts';
import { type Section, sectionsOf } from './card.ts';
import { type CodeFindings, findingsByCode } from './cause.ts';
import { type Left, leftOf } from './left.ts';
import { type Fact, factsOf } from './row.ts';
import {
  headlineOf,
  type Tallies,
  talliesOf,
  type Unplanned,
  unplannedOf,
  type Verdict,
  verdictOf,
} from './tally.ts';

/**
 * What a document shows: text, markdown and the page only lay it out. All
 * texts are foreign; each sink escapes them.
 */
export interface Model {
  readonly document: Document;
  /** True if changes have outcomes. */
  readonly isApplied: boolean;
  /** True if labels say who moved a field since the base of the branch. */
  readonly hasBase: boolean;
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
  readonly tallies: Tallies;
  readonly headline: string;
  readonly verdict: Verdict | undefined;
  readonly refusals: readonly RefusalOn[];
  readonly unplanned: readonly Unplanned[];
  /** Whether an apply of this plan writes what errors do not leave out. */
  readonly writesOthers: boolean;
  readonly left: readonly Left[];
  /** Warnings that nobody may miss, whatever else is folded. */
  readonly urgent: readonly CodeFindings[];
  /** All others, without notes. */
  readonly findings: readonly CodeFindings[];
  /** What the servers are compared with: revisions, or a snapshot. */
  readonly basis: readonly string[];
  /** The servers of a comparison. */
  readonly pair?: ComparedPair | undefined;
}

/** Two servers by their names, as their values stand beside each other. */
export interface ComparedPair {
  readonly before: string;
  readonly after: string;
  /** How many fields are equal. */
  readonly equal: number;
}

/** A refusal, and the servers that it is about. */
export interface RefusalOn {
  readonly refusal: RefusalDocument;
  readonly servers: readonly string[];
}

const URGENT: ReadonlySet<string> = new Set(['loosened', 'still-declared']);

/** The model of a document; `isFull` keeps equal integrations apart. */
export function modelOf(document: Document, isFull = false): Model {
  const { servers, diagnostics, base, command } = document;
  const facts = factsOf(document);
  const hasBase = base !== undefined && command !== 'diff';
  const tallies = talliesOf(facts);
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  const findings = findingsByCode(shown);
  return {
    document,
    isApplied: tallies.outcomes.length > 0,
    hasBase,
    facts,
    sections: sectionsOf(facts, {
      isFull,
      hasBase,
      isComparison: command === 'compare',
    }),
    tallies,
    headline: headlineOf(document, tallies),
    verdict: verdictOf(document, facts),
    refusals: refusalsOf(servers),
    unplanned: unplannedOf(servers),
    writesOthers: facts.length > 0 && canApply(document),
    left: leftOf(document),
    urgent: findings.filter(({ code }) => URGENT.has(code)),
    findings: findings.filter(({ code }) => !URGENT.has(code)),
    basis: basisOf(document),
    pair: pairOf(document),
  };
}

/** Whether an apply of a plan would write anything. */
function canApply({ command, complete, servers }: Document): boolean {
  const isRefused = servers.some(({ refusals }) => refusals.length > 0);
  return command === 'plan' && complete !== false && !isRefused;
}

function pairOf({ servers: [server] }: Document): ComparedPair | undefined {
  if (server?.comparedWith === undefined) return undefined;
  const { comparedWith, name, summary } = server;
  return { before: comparedWith.name, after: name, equal: summary.equal ?? 0 };
}

/** Refusals in the same words once. */
export function refusalsOf(servers: readonly ServerDocument[]): RefusalOn[] {
  const all: { refusal: RefusalDocument; server: string }[] = [];
  for (const { name: server, refusals } of servers) {
    for (const refusal of refusals) all.push({ refusal, server });
  }
  const alike = grouped(all, ({ refusal: { code, message } }) =>
    JSON.stringify([code, message]),
  );
  const refusals: RefusalOn[] = [];
  for (const group of alike.values()) {
    const [{ refusal }] = group;
    refusals.push({ refusal, servers: group.map(({ server }) => server) });
  }
  return refusals;
}

function basisOf(document: Document): string[] {
  const { base, head, servers, createdAt, undone } = document;
  const basis: string[] = [];
  if (undone !== undefined) {
    const { command, createdAt: time = 'an unknown time' } = undone;
    basis.push(`takes back the ${command} of ${minuteOf(time)}`);
  }
  if (base !== undefined) basis.push(`compared with ${revisionText(base)}`);
  if (head !== undefined) basis.push(`shows ${revisionText(head)}`);
  const snapshots = new Set<string>();
  for (const { name, snapshot, comparedWith } of servers) {
    if (comparedWith !== undefined) {
      basis.push(`${comparedWith.name} -> ${name}`);
    }
    for (const each of [comparedWith?.snapshot, snapshot]) {
      if (each === undefined) continue;
      snapshots.add(`from a snapshot of ${snapshotAge(each, createdAt)}`);
    }
  }
  return [...basis, ...snapshots];
}

/** A time without its seconds: `2026-11-25 21:31 UTC`. */
export function minuteOf(time: string): string {
  return time.replace('T', ' ').replace(/:\d\dZ$/, ' UTC');
}

/** A ref with the start of its commit. */
function revisionText({ ref, commit }: NonNullable<Document['base']>): string {
  const short = shortCommit(commit);
  return ref === commit ? short : `${ref} (${short})`;
}

/** The day of a snapshot, and its age when the document was made. */
function snapshotAge(
  { takenAt }: NonNullable<ServerDocument['snapshot']>,
  createdAt = '',
): string {
  // A time may be foreign: only a day is shown.
  const day = /^\d{4}-\d{2}-\d{2}/.exec(takenAt)?.[0] ?? 'an unknown day';
  const age = Date.parse(createdAt) - Date.parse(takenAt);
  const days = Math.floor(age / 86_400_000);
  return days > 0 ? `${day}, ${count(days, 'day')} old` : day;
}
