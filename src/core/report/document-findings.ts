import { distinctPlaces } from '../findings/diagnostic.ts';
import type { Severity } from '../findings/entry.ts';
import { diagnosticDocuments } from '../findings/explain.ts';
import { present } from '../model/json.ts';
import {
  type Document,
  isWriting,
  type PlaceDocument,
  type RefusalDocument,
  type ServerDocument,
} from '../plan/plan.ts';

type Finding = Document['diagnostics'][number];

/** The findings of a document, with what an apply refuses, once each: those who list findings want both. */
export function findingsWithRefusals(document: Document): readonly Finding[] {
  const { command, diagnostics } = document;
  const severity = isWriting(command) ? 'error' : 'warning';
  const refused = refusalFindings(document, severity);
  return diagnosticDocuments([], [...diagnostics, ...refused]);
}

/** What an apply refuses as findings, each once, with its fields and places. */
export function refusalFindings(
  { servers, shard, complete }: Document,
  severity: Severity,
): Finding[] {
  // A server that could not be planned is not in it.
  const isOfSeveral = (shard?.servers ?? servers).length > 1;
  const isFleet = isOfSeveral || complete === false;
  const refused = new Map<string, Finding>();
  for (const server of servers) {
    for (const refusal of server.refusals) {
      const { code, message, hint } = refusal;
      // That many integrations change is said of all servers at once.
      const isOfServer = refusal.addresses !== undefined && isFleet;
      const finding = present({
        code,
        severity,
        message,
        hint,
        server: isOfServer ? server.name : undefined,
        ...concerned(server, refusal),
      });
      refused.set(JSON.stringify(finding), finding);
    }
  }
  return [...refused.values()];
}

/** The fields that are refused, their integrations, and where they are. */
function concerned(
  { integrations }: ServerDocument,
  { addresses }: RefusalDocument,
): Partial<Finding> {
  if (addresses === undefined) return {};
  const refused = new Set(addresses);
  const names = new Set<string>();
  const places: PlaceDocument[] = [];
  for (const { name, changes } of integrations) {
    for (const { address, source } of changes) {
      if (!refused.has(address)) continue;
      names.add(name);
      if (source !== undefined) places.push(source);
    }
  }
  return {
    addresses,
    integrations: [...names],
    places: distinctPlaces(places),
  };
}
