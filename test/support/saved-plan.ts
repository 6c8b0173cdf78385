import type { ServerPlan } from '../../src/core/plan/plan.ts';
import {
  type ReviewedServer,
  reviewedServers,
  type ServerDocument,
} from '../../src/core/plan/plan-document.ts';
import { decodeSaved } from '../../src/core/plan/saved.ts';
import { documentOf } from '../../src/core/report/document.ts';

/** A plan as its document has it. */
export function documented(plan: ServerPlan): ServerDocument {
  const [server] = documentOf({ command: 'plan', servers: [plan] }).servers;
  if (server === undefined) throw new Error('not a plan');
  return server;
}

/** A plan as it is read again from the file that it was saved in. */
export function savedPlan(plan: ServerPlan): ReviewedServer {
  const document = documentOf({
    command: 'plan',
    servers: [plan],
    isComplete: true,
  });
  const saved = decodeSaved(JSON.parse(JSON.stringify(document)), 'apply');
  const [server] = 'problem' in saved ? [] : reviewedServers(saved.document);
  if (server === undefined) throw new Error('not a plan');
  return server;
}
