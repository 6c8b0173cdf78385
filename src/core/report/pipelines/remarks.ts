import { createHash } from 'node:crypto';
import { SEVERITIES, type Severity } from '../../findings/entry.ts';
import { findingHelp } from '../../findings/explain.ts';
import { cut, listed, phrase } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Place } from '../../model/place.ts';
import type { ChangeDocument, Document } from '../../plan/plan-document.ts';
import { refusalsIn } from '../../plan/refusals.ts';
import { RISKS } from '../../plan/risk.ts';
import { type Cause, causesOf } from '../model/causes.ts';
import {
  type Fact,
  factsOf,
  namesIn,
  OUTCOME_LOOKS,
  serversIn,
} from '../model/facts.ts';
import { sidesOf } from '../model/value.ts';

/**
 * A finding, a refusal, or a change of all servers and integrations that have
 * it from one line. The formats of pipelines are maps of it.
 */
export interface Remark {
  level: Severity;
  code: string;
  title: string;
  /** One line for a sink to escape. */
  text: string;
  place?: Place | undefined;
  /** Whether its test fails. */
  isWrong: boolean;
  /** Tells it from all others, and stays the same when lines move. */
  identity: string;
}

/** All remarks on a document, the most severe first. */
export function remarksOf(document: Document): Remark[] {
  const findings = [...document.diagnostics, ...refusalsIn(document)];
  const changes = grouped(factsOf(document), ({ key, change }) => {
    return JSON.stringify([key, change.source]);
  });
  const remarks = [
    ...causesOf(findings).map(causeRemark),
    ...[...changes.values()].map(changeRemark),
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
  const { code, severity, message, servers, place } = cause;
  const words = message.replace(POSITION, '');
  return {
    level: severity,
    code,
    title: findingHelp(code)?.title ?? code,
    text: phrase([cause.text, cause.also, ...cause.hints]),
    place,
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

/** The most servers or integrations that a change names. */
const MOST_NAMES = 5;

/**
 * What moved on a server, or has a risk, is a warning until an apply is through
 * with it.
 */
function changeRemark(facts: readonly [Fact, ...Fact[]]): Remark {
  const [{ server, field, change }] = facts;
  const { address, label, risks, source, outcome, reason, comment } = change;
  const isDone = outcome && OUTCOME_LOOKS[outcome].tone === 'good';
  const isMoved = label !== 'change' && !isDone;
  const isRisky = isMoved || (risks.length > 0 && !isDone);
  const { before, after, base } = sidesOf(change);
  const declared = base === undefined ? '' : `base ${cut(base)}, live `;
  const old = cut(before.text, after.text);
  const parts = [`${declared}${old} -> ${cut(after.text, before.text)}`];
  if (outcome !== undefined) {
    parts.push(`[${phrase([outcome, reason], ': ')}]`);
  }
  for (const risk of risks) parts.push(`! ${risk}: ${RISKS[risk].words}`);
  if (comment !== undefined) parts.push(`# ${comment}`);
  const servers = listed(serversIn(facts), MOST_NAMES);
  const names = listed(namesIn(facts), MOST_NAMES);
  return {
    level: isRisky ? 'warning' : 'note',
    code: label,
    title: LABEL_TITLES[label],
    text: phrase([servers, names, field, parts.join('  ')], ': '),
    place: source,
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: JSON.stringify([label, server, address]),
  };
}
