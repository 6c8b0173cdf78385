import { createHash } from 'node:crypto';
import { SEVERITIES } from '../../findings/entry.ts';
import { findingHelp } from '../../findings/explain.ts';
import { grouped, present } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { ChangeDocument, Document, ServerDocument } from '../../plan/plan.ts';
import { OUTCOMES } from '../../plan/plan.ts';
import { changeText, fieldName, LABELS } from '../change.ts';

/** A finding or a change. The formats of pipelines are maps over remarks. */
export interface Remark {
  readonly level: (typeof SEVERITIES)[number];
  /** The code of a finding, or the label of a change. */
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly place?: Place;
  readonly server?: string;
  /** The integration, if it is about a single one. */
  readonly integration?: string;
  /** Whether its test fails. */
  readonly isWrong: boolean;
  /** A digest that stays the same when lines move. */
  readonly identity: string;
}

/** All findings and changes of a document, the most severe first. */
export function remarksOf({ servers, diagnostics, loosened = [] }: Document): Remark[] {
  const all = [
    ...diagnostics.map(findingRemark),
    ...loosened.map((message) => ({
      ...findingRemark({ code: 'loosened', severity: 'warning', message }),
      title: 'setpoint.yaml is less strict',
    })),
    ...servers.flatMap((server) =>
      server.integrations.flatMap(({ name, changes }) =>
        changes.map((change) => changeRemark(change, name, server)),
      ),
    ),
  ];
  const bySeverity = SEVERITIES.flatMap((level) => all.filter((each) => each.level === level));
  return [...grouped(bySeverity, ({ identity }) => identity)].flatMap(([identity, same]) =>
    same.map((remark, number) => {
      const digest = createHash('sha256').update(`${identity} ${number}`).digest('hex');
      return { ...remark, identity: digest.slice(0, 32) };
    }),
  );
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function findingRemark(found: Document['diagnostics'][number]): Remark {
  const { code, severity: level, message, hint = '', server, integrations = [] } = found;
  const { file, line = 1, column = 1 } = found;
  const place = file === undefined ? undefined : { file, line, column };
  return {
    ...{ level, code, isWrong: level === 'error' },
    title: findingHelp(code)?.title ?? code,
    message: `${message} ${hint}`.trim(),
    ...present({ place, server, integration: integrations.length === 1 ? integrations[0] : undefined }),
    identity: JSON.stringify([code, server, file, message.replace(POSITION, '')]),
  };
}

/** What moved on a server, or has a risk, is a warning until an apply is through with it. */
function changeRemark(change: ChangeDocument, integration: string, on: ServerDocument): Remark {
  const { name: server, base } = on;
  const { address, label: code, risks, source: place, outcome } = change;
  const isDone = outcome !== undefined && OUTCOMES[outcome].countsAs === 'applied';
  const isMoved = code !== 'change' && !isDone;
  return {
    ...{ code, place, server, integration },
    level: isMoved || (risks.length > 0 && !isDone) ? 'warning' : 'note',
    title: base === undefined ? 'Differs from the server' : LABELS[code].title,
    message: `${fieldName(address, integration)}: ${changeText(change)}`,
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: JSON.stringify([code, server, address]),
  };
}
