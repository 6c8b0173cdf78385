import { createHash } from 'node:crypto';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { findingHelp } from '../../findings/explain.ts';
import { count, cut, listed, phrase } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import type { ChangeDocument, Document } from '../../plan/plan.ts';
import { RISKS } from '../../plan/risk.ts';
import { type Cause, causesOf, refusalsIn } from '../model/causes.ts';
import { type Fact, factsOf, OUTCOME_LOOKS } from '../model/facts.ts';
import { sidesOf } from '../model/value.ts';

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
  const findings = [...document.diagnostics, ...refusalsIn(document)];
  const remarks = [
    ...causesOf(findings).map(causeRemark),
    ...factsOf(document).map(changeRemark),
  ];
  const weight = ({ level }: Remark): number => SEVERITIES.indexOf(level);
  remarks.sort((one, other) => weight(one) - weight(other));
  // Equal identities are numbered.
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
  const { code, severity, message, servers, integrations, others } = cause;
  const [place, ...more] = cause.places;
  const parts = [message];
  if (others.length > 0) {
    parts.push(`The same for ${listed(others, MOST_NAMES)}.`);
  } else if (more.length > 0) {
    parts.push(`The same in ${count(more.length, 'more place')}.`);
  }
  parts.push(...cause.hints);
  const isNamed = integrations.every((name) => message.includes(name));
  const words = message.replace(POSITION, '');
  return {
    level: severity,
    code,
    title: findingHelp(code)?.title ?? code,
    message: parts.join(' '),
    place,
    servers,
    integrations,
    names: isNamed || others.length > 0 ? [] : integrations,
    isWrong: severity === 'error',
    identity: JSON.stringify([code, servers[0], place?.file, words]),
  };
}

/** Who moved a field. */
const LABEL_TITLES = {
  change: 'Change',
  conflict: 'Conflict: changed by this branch, and on the server too',
  drift: 'Drift: not changed by this branch',
} as const satisfies Record<ChangeDocument['label'], string>;

/**
 * What moved on a server, or has a risk, is a warning until an apply is through
 * with it.
 */
function changeRemark(fact: Fact): Remark {
  const { server, name, change } = fact;
  const { address, label, risks, source, outcome } = change;
  const isDone = outcome && OUTCOME_LOOKS[outcome].tone === 'good';
  const isMoved = label !== 'change' && !isDone;
  const isRisky = isMoved || (risks.length > 0 && !isDone);
  return {
    level: isRisky ? 'warning' : 'note',
    code: label,
    title: LABEL_TITLES[label],
    message: changeText(fact),
    place: source,
    servers: [server],
    integrations: [name],
    names: [name],
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: JSON.stringify([label, server, address]),
  };
}

/** A change in one line for a sink to escape. */
function changeText({ field, change }: Fact): string {
  const { before, after, base } = sidesOf(change);
  const { outcome, reason, risks, comment } = change;
  const declared = base === undefined ? '' : `base ${cut(base)}, live `;
  const old = cut(before.text, after.text);
  const parts = [`${declared}${old} -> ${cut(after.text, before.text)}`];
  if (outcome !== undefined) {
    const why = reason === undefined ? '' : `: ${reason}`;
    parts.push(`[${outcome}${why}]`);
  }
  for (const risk of risks) parts.push(`! ${risk}: ${RISKS[risk].words}`);
  if (comment !== undefined) parts.push(`# ${comment}`);
  return `${field}: ${parts.join('  ')}`;
}

/** Servers, integrations and the message of a remark in one line. */
export function remarkText({ servers, names, message }: Remark): string {
  const parts = [listed(servers, MOST_NAMES), listed(names, MOST_NAMES)];
  return phrase([...parts, message], ': ');
}
