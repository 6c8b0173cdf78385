import { documentOf, type ServerDocument, serverDocument } from '../../src/core/plan/document.ts';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { decodeSavedPlan } from '../../src/core/plan/saved.ts';

/** A plan as it is read again from the file that it was saved in. */
export function savedPlan(plan: ServerPlan): ServerDocument {
  const servers = [serverDocument(plan, [])];
  const document = documentOf({
    command: 'plan',
    servers,
    isComplete: true,
    findings: [],
    fromRoot: (file) => file,
  });
  const saved = decodeSavedPlan(JSON.parse(JSON.stringify(document)));
  const [server] = 'problem' in saved ? [] : saved.document.servers;
  if (server === undefined) throw new Error('not a plan');
  return server;
}
