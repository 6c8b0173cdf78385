import { present } from '../model/present.ts';
import { asOptionValue } from '../model/written.ts';
import type { ChangeDocument, IntegrationDocument, ServerDocument } from '../plan/document.ts';
import type { DeclaredSide, EntryDiff, FieldDiff, RevisionDiff, ServerDiff } from './revision-diff.ts';

/** What two revisions declare differently on each server, as a document has it. */
export function diffDocuments({ base, head, servers }: RevisionDiff): ServerDocument[] {
  return servers.map((server) => serverOf(server, { base, ...present({ head }) }));
}

/** What setpoint.yaml loosens between two revisions. */
export function loosenedIn({ project = [] }: RevisionDiff): string[] {
  const weaker = project.flatMap(({ fields }) => fields.filter(({ isWeaker }) => isWeaker === true));
  return weaker.map(({ address }) => `setpoint.yaml is less strict: ${address}`);
}

function serverOf(
  { name, url, entries }: ServerDiff,
  revisions: Pick<ServerDocument, 'base' | 'head'>,
): ServerDocument {
  const integrations = entries.map(integrationOf);
  const changes = integrations.reduce((sum, each) => sum + each.changes.length, 0);
  const counts = { hidden: 0, waived: 0, settled: 0, released: 0, unmanagedOptions: 0, reads: 0, writes: 0 };
  return {
    ...{ name, url: url?.after ?? '' },
    ...revisions,
    summary: { managed: entries.length, changed: entries.length, changes, ...counts },
    refusals: [],
    integrations,
  };
}

function integrationOf({ name, fields }: EntryDiff): IntegrationDocument {
  const none = { hidden: [], waived: [], settled: [], released: [] };
  return { name, id: name, status: null, changes: fields.map(changeOf), ...none };
}

function changeOf({ address, before, after, risks, source, left, comment }: FieldDiff): ChangeDocument {
  const isSecret = [before, after].some((side) => side !== undefined && isKeptOut(side));
  const { file, line, column, endColumn } = left ?? source;
  return {
    address,
    before: isSecret ? null : declaredValue(before),
    after: isSecret ? null : declaredValue(after),
    ...(isSecret ? { secret: true } : {}),
    ...present({ reference: after?.reference, beforeReference: before?.reference }),
    label: 'change',
    risks: risks.flatMap((risk) => (risk === 'plain-secret' ? [] : [risk])),
    ...present({ comment }),
    source: { file, line, column, ...present({ endColumn }) },
  };
}

function isKeptOut({ isHidden, reference }: DeclaredSide): boolean {
  return isHidden === true || reference !== undefined;
}

function declaredValue(side: DeclaredSide | undefined): ChangeDocument['before'] {
  return side === undefined || side.value === null ? null : asOptionValue(side.value);
}
