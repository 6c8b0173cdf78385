import { createHash } from 'node:crypto';
import { FINDINGS, isCode } from '../../findings/diagnostic.ts';
import type { Severity } from '../../findings/entry.ts';
import { cut } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { present } from '../../model/present.ts';
import type { ChangeDocument, Document, IntegrationDocument, ServerDocument } from '../../plan/document.ts';
import { OUTCOMES } from '../../plan/outcome.ts';
import { fieldName, LABELS, riskText, sentencesOf, sidesOf } from '../change-words.ts';

/** A finding or a change. The formats of pipelines are maps over remarks. */
export interface Remark {
  readonly level: Severity;
  /** The code of a finding, or the label of a change. */
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly place?: Place;
  readonly server?: string;
  readonly integrations: readonly string[];
  /** Whether its test fails. */
  readonly isWrong: boolean;
  /** A digest that stays the same when lines move. */
  readonly identity: string;
}

export const LEVELS: readonly Severity[] = ['error', 'warning', 'note'];

/** The most characters of a value in a sentence. */
const LONGEST_VALUE = 120;

/** All findings and changes of a document, the most severe first. */
export function remarksOf({ servers, diagnostics, loosened = [] }: Document): Remark[] {
  const all = [
    ...diagnostics.map(findingRemark),
    ...loosened.map(loosenedRemark),
    ...servers.flatMap((server) =>
      server.integrations.flatMap((integration) =>
        integration.changes.map((change) => changeRemark(change, integration, server)),
      ),
    ),
  ];
  return distinct(LEVELS.flatMap((level) => all.filter((each) => each.level === level)));
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function findingRemark(found: Document['diagnostics'][number]): Remark {
  const { code, severity, message, hint, server, integrations = [] } = found;
  const { file, line = 1, column = 1, endColumn } = found;
  return {
    level: severity,
    code,
    title: isCode(code) ? FINDINGS[code].title : code,
    message: hint === undefined ? message : `${message} ${hint}`,
    ...(file === undefined ? {} : { place: { file, line, column, ...present({ endColumn }) } }),
    ...present({ server }),
    integrations,
    isWrong: severity === 'error',
    identity: identityOf(code, server, file, message.replace(POSITION, '')),
  };
}

function loosenedRemark(message: string): Remark {
  const [code, title] = ['loosened', 'setpoint.yaml is less strict'];
  const identity = identityOf(code, message);
  return { level: 'warning', code, title, message, integrations: [], isWrong: false, identity };
}

/** What moved on a server, or has a risk, is a warning until an apply is through with it. */
function changeRemark(
  change: ChangeDocument,
  { name }: IntegrationDocument,
  { name: server, base }: ServerDocument,
): Remark {
  const { address, label, risks, source, outcome } = change;
  const isDone = outcome !== undefined && OUTCOMES[outcome].countsAs === 'applied';
  const isMoved = label !== 'change' && !isDone;
  return {
    level: isMoved || (risks.length > 0 && !isDone) ? 'warning' : 'note',
    code: label,
    title: base === undefined ? 'Differs from the server' : LABELS[label].title,
    message: `${fieldName(address, name)}: ${changeText(change)}`,
    place: { ...source },
    server,
    integrations: [name],
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: identityOf(label, server, address),
  };
}

function changeText(change: ChangeDocument): string {
  const { label, secret, risks, comment, outcome } = change;
  const sides = sidesOf(change);
  const { before, after, base } = sides;
  const was = base === undefined ? '' : `base ${cut(base, '', LONGEST_VALUE)}, live `;
  const values = `${was}${cut(before, after, LONGEST_VALUE)} -> ${cut(after, before, LONGEST_VALUE)}`;
  return [
    ...(secret === true && label === 'drift' ? [] : [values.trimEnd()]),
    ...sentencesOf(change, sides),
    ...(outcome === undefined ? [] : [`[${outcome}]`]),
    ...risks.map(riskText),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ].join('  ');
}

/** Who a remark is about, and what it says. */
export function remarkText({ server, integrations, message }: Remark): string {
  const only = integrations.length === 1 ? integrations : [];
  return [...(server === undefined ? [] : [server]), ...only, message].join(': ');
}

function identityOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Gives remarks that would be taken for each other a number. */
function distinct(remarks: readonly Remark[]): Remark[] {
  const seen = new Map<string, number>();
  return remarks.map((remark) => {
    const number = seen.get(remark.identity) ?? 0;
    seen.set(remark.identity, number + 1);
    return number === 0 ? remark : { ...remark, identity: identityOf(remark.identity, number) };
  });
}
