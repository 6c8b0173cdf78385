import { createHash } from 'node:crypto';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { findingHelp } from '../../findings/explain.ts';
import { count, cut, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import {
  type ChangeDocument,
  type Document,
  OUTCOMES,
} from '../../plan/plan.ts';
import { RISKS } from '../../plan/risk.ts';
import { type Cause, causesOf } from '../model/cause.ts';
import { type RefusalOn, refusalsOf } from '../model/model.ts';
import { type Fact, factsOf } from '../model/row.ts';
import { effectOf, sidesOf } from '../model/sides.ts';

/** A finding, a refusal or a change. The formats of pipelines are maps of it. */
export interface Remark {
  readonly level: Severity;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly place?: Place | undefined;
  readonly servers: readonly string[];
  /** The integrations that it is about, as far as they are known. */
  readonly integrations: readonly string[];
  /** Those to name before the message; none if that names them. */
  readonly names: readonly string[];
  /** Whether its test fails. */
  readonly isWrong: boolean;
  /** Tells it from all others, and stays the same when lines move. */
  readonly identity: string;
}

/** The most names in a message. */
const MOST_NAMES = 5;

/** All remarks on a document, the most severe first. */
export function remarksOf(document: Document): Remark[] {
  const remarks: Remark[] = [];
  for (const cause of causesOf(document.diagnostics)) {
    remarks.push(causeRemark(cause));
  }
  const facts = factsOf(document);
  for (const refusal of refusalsOf(document.servers)) {
    remarks.push(refusalRemark(refusal, facts));
  }
  for (const fact of facts) remarks.push(changeRemark(fact, document));
  return withDigests(bySeverity(remarks));
}

function bySeverity(remarks: readonly Remark[]): Remark[] {
  const sorted: Remark[] = [];
  for (const severity of SEVERITIES) {
    sorted.push(...remarks.filter(({ level }) => level === severity));
  }
  return sorted;
}

/** Makes identities short, and numbers equal ones. */
function withDigests(remarks: readonly Remark[]): Remark[] {
  const numbers = new Map<string, number>();
  return remarks.map((remark) => {
    const number = numbers.get(remark.identity) ?? 0;
    numbers.set(remark.identity, number + 1);
    const hash = createHash('sha256').update(`${remark.identity} ${number}`);
    return { ...remark, identity: hash.digest('hex').slice(0, 32) };
  });
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function causeRemark(cause: Cause): Remark {
  const { code, severity, message, servers, places, finding } = cause;
  const [place] = places;
  const words = [message, ...repetitionOf(cause), ...cause.hints];
  const { server } = finding;
  const subject = [code, server, place?.file, message.replace(POSITION, '')];
  return {
    level: severity,
    code,
    title: findingHelp(code)?.title ?? code,
    message: words.join(' '),
    place,
    servers,
    integrations: cause.integrations,
    names: cause.others.length > 0 ? [] : cause.integrations,
    isWrong: severity === 'error',
    identity: JSON.stringify(subject),
  };
}

/** What else has the same cause: integrations, or places in files. */
function repetitionOf({ others, places }: Cause): string[] {
  if (others.length > 0) return [`The same for ${listed(others, MOST_NAMES)}.`];
  const more = places.length - 1;
  return more < 1 ? [] : [`The same in ${count(more, 'more place')}.`];
}

/** A refusal is at the first change that it is about, if it has one. */
function refusalRemark(
  { refusal, servers }: RefusalOn,
  facts: readonly Fact[],
): Remark {
  const { code, message, hint, addresses = [] } = refusal;
  const refused = facts.filter(
    ({ server, change }) =>
      servers.includes(server) && addresses.includes(change.address),
  );
  const names = new Set(refused.map(({ integration }) => integration.name));
  return {
    level: 'error',
    code,
    title: findingHelp(code)?.title ?? code,
    message: hint === undefined ? message : `${message} ${hint}`,
    place: refused[0]?.change.source,
    servers,
    integrations: [...names],
    names: [...names],
    isWrong: true,
    identity: JSON.stringify([code, servers, addresses]),
  };
}

/** Who moved a field. */
const LABEL_TITLES = {
  change: 'Changed by this branch',
  conflict: 'In conflict: changed by this branch, and on the server too',
  drift: 'Drift: not changed by this branch',
} as const satisfies Record<ChangeDocument['label'], string>;

/**
 * What moved on a server, or has a risk, is a warning until an apply is through
 * with it.
 */
function changeRemark(fact: Fact, { base, command }: Document): Remark {
  const { server, integration, change } = fact;
  const { address, label, risks, source, outcome } = change;
  const isDone = outcome !== undefined && OUTCOMES[outcome] === 'applied';
  const isMoved = label !== 'change' && !isDone;
  const isRisky = risks.length > 0 && !isDone;
  const isLabelled = base !== undefined && command !== 'diff';
  const difference =
    command === 'compare'
      ? 'Differs between servers'
      : 'Differs from the server';
  return {
    level: isMoved || isRisky ? 'warning' : 'note',
    code: label,
    title: isLabelled ? LABEL_TITLES[label] : difference,
    message: changeText(fact),
    place: source,
    servers: [server],
    integrations: [integration.name],
    names: [integration.name],
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: JSON.stringify([label, server, address]),
  };
}

/** A change in one line for a sink to escape. */
function changeText({ field, change }: Fact): string {
  const { before, after, base, members } = sidesOf(change);
  const from = cut(before.text, after.text);
  const to = cut(after.text, before.text);
  let sides = `${from} -> ${to}`;
  if (members !== undefined) {
    const removed = members.removed.map((member) => `-${member}`);
    const added = members.added.map((member) => `+${member}`);
    sides = cut([...removed, ...added].join(' '));
  }
  const parts = [
    base === undefined ? sides : `base ${cut(base)}, live ${sides}`,
  ];
  const { outcome, reason, risks, comment } = change;
  if (outcome !== undefined) {
    parts.push(
      reason === undefined ? `[${outcome}]` : `[${outcome}: ${reason}]`,
    );
  }
  const effect = effectOf(change.after);
  if (effect !== undefined && field.endsWith('.permission')) {
    parts.push(`# ${effect}`);
  }
  for (const risk of risks) parts.push(`! ${risk}: ${RISKS[risk].words}`);
  if (comment !== undefined) parts.push(`# ${comment}`);
  return `${field}: ${parts.join('  ')}`;
}

/** Servers, integrations and the message of a remark in one line. */
export function remarkText({ servers, names, message }: Remark): string {
  const parts = [listed(servers, MOST_NAMES), listed(names, MOST_NAMES)];
  return [...parts, message].filter((part) => part !== '').join(': ');
}

/** Remarks with the same words at the same place, about several subjects. */
export function equalRemarks(
  remarks: readonly Remark[],
): (readonly [Remark, ...Remark[]])[] {
  const groups = grouped(remarks, ({ level, code, place, message }) =>
    JSON.stringify([level, code, place, message]),
  );
  return [...groups.values()];
}
