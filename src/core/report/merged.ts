import { compareText } from '../findings/diagnostic.ts';
import { diagnosticDocuments } from '../findings/explain.ts';
import { present } from '../model/json.ts';
import { grouped } from '../model/lists.ts';
import type { Document } from '../plan/plan-document.ts';
import { type Policy, strictest } from '../plan/risk.ts';

/**
 * Makes one document of those of all shards of a run: the same that the run
 * without shards makes.
 */
export function mergedDocument(
  documents: readonly Document[],
  { formatVersion, tool, command }: Document,
): Document {
  // A shard that failed early says little.
  const firstKnown = <Key extends keyof Document>(key: Key) =>
    documents.find((document) => document[key] !== undefined)?.[key];
  const order = documents.flatMap(({ shard }) => shard?.servers ?? []);
  // What is of no server comes first.
  const rank = (server = ''): number => order.indexOf(server);
  const servers = documents.flatMap((document) => document.servers);
  servers.sort((a, b) => rank(a.name) - rank(b.name));
  const findings = documents.flatMap(({ diagnostics }) => diagnostics);
  const unique = grouped(findings, (finding) => JSON.stringify(finding));
  const diagnostics = [...unique.values()].map(([finding]) => finding);
  diagnostics.sort((a, b) => rank(a.server) - rank(b.server));
  const times = documents.flatMap(({ createdAt }) => createdAt ?? []);
  const policies: Policy[] = [];
  for (const { policy } of documents) {
    if (policy !== undefined) policies.push(policy);
  }
  const isPlanned = firstKnown('complete') !== undefined;
  return present({
    formatVersion,
    tool,
    command,
    createdAt: times.sort(compareText).at(-1),
    repository: firstKnown('repository'),
    commit: firstKnown('commit'),
    base: firstKnown('base'),
    policy: firstKnown('policy') && present(strictest(policies)),
    complete: isPlanned
      ? documents.every(({ complete }) => complete === true)
      : undefined,
    servers,
    diagnostics: diagnosticDocuments([], diagnostics),
  });
}
