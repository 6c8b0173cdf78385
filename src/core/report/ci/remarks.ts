import { createHash } from 'node:crypto';
import { FINDINGS, isCode } from '../../findings/diagnostic.ts';
import type { Severity } from '../../findings/entry.ts';
import { cut } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { present } from '../../model/present.ts';
import type { ChangeDocument, Document, IntegrationDocument, ServerDocument } from '../../plan/document.ts';
import { OUTCOMES } from '../../plan/outcome.ts';
import { fieldName, LABELS, riskText, sentencesOf, sidesOf } from '../change-words.ts';

/** A finding or a change at its place. The formats of pipelines are maps over such remarks. */
export interface Remark {
  readonly level: Severity;
  /** The code of a finding, or the label of a change. */
  readonly code: string;
  /** The code in words of our own. */
  readonly title: string;
  readonly message: string;
  readonly place: Place;
  readonly server?: string;
  readonly integrations: readonly string[];
  /** Whether a test of its integration fails by it. */
  readonly isWrong: boolean;
  /** What it is known by when lines move: a digest of its code, server and address, or words. */
  readonly identity: string;
}

const LEVELS: readonly Severity[] = ['error', 'warning', 'note'];

/** Characters of a value in a sentence. */
const LONGEST_VALUE = 120;

/** All findings and changes of a document, the most severe first. */
export function remarksOf(document: Document): Remark[] {
  const { servers, diagnostics } = document;
  const head = headOf(document);
  const all = [
    ...diagnostics.map((found) => findingRemark(found, head)),
    ...servers.flatMap((server) =>
      server.integrations.flatMap((integration) =>
        integration.changes.map((change) => changeRemark(change, integration, server)),
      ),
    ),
  ];
  return distinct(LEVELS.flatMap((level) => all.filter((each) => each.level === level)));
}

/** Pipelines show nothing without a place: what has none stands at the head of the first file that has one. */
function headOf({ servers, diagnostics }: Document): Place {
  const files = [
    ...diagnostics.flatMap(({ file }) => file ?? []),
    ...servers
      .flatMap(({ integrations }) => integrations.flatMap(({ changes }) => changes))
      .map(({ source }) => source.file),
  ];
  return { file: files[0] ?? 'setpoint.yaml', line: 1, column: 1 };
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function findingRemark(found: Document['diagnostics'][number], head: Place): Remark {
  const {
    code,
    severity,
    message,
    hint,
    server,
    integrations = [],
    file,
    line = 1,
    column = 1,
    endColumn,
  } = found;
  return {
    level: severity,
    code,
    title: isCode(code) ? FINDINGS[code].title : code,
    message: hint === undefined ? message : `${message} ${hint}`,
    place: file === undefined ? head : { file, line, column, ...present({ endColumn }) },
    ...present({ server }),
    integrations,
    isWrong: severity === 'error',
    identity: identityOf(code, server, file, message.replace(POSITION, '')),
  };
}

/** What moved on a server, or has a risk, is a warning until an apply is through with it. */
function changeRemark(
  change: ChangeDocument,
  { name }: IntegrationDocument,
  { name: server, base }: ServerDocument,
): Remark {
  const { address, label, secret, risks, comment, source, outcome } = change;
  const sides = sidesOf(change);
  const isDone = outcome !== undefined && OUTCOMES[outcome].countsAs === 'applied';
  const isMoved = label !== 'change' && !isDone;
  const was = sides.base === undefined ? '' : `base ${cut(sides.base, '', LONGEST_VALUE)}, live `;
  const values = `${was}${cut(sides.before, sides.after, LONGEST_VALUE)} -> ${cut(sides.after, sides.before, LONGEST_VALUE)}`;
  const parts = [
    `${fieldName(address, name)}: ${secret === true && label === 'drift' ? '' : values}`.trimEnd(),
    ...sentencesOf(change, sides),
    ...(outcome === undefined ? [] : [`[${outcome}]`]),
    ...risks.map(riskText),
    ...(comment === undefined ? [] : [`# ${comment}`]),
  ];
  return {
    level: isMoved || (risks.length > 0 && !isDone) ? 'warning' : 'note',
    code: label,
    title: base === undefined ? 'Differs from the server' : LABELS[label].title,
    message: parts.join('  '),
    place: { ...source },
    server,
    integrations: [name],
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: identityOf(label, server, address),
  };
}

/** Who a remark is about, and what it says. */
export function remarkText({ server, integrations, message }: Remark): string {
  const [only, ...others] = integrations;
  const about = [server, others.length === 0 ? only : undefined, message];
  return about.filter((each) => each !== undefined).join(': ');
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
