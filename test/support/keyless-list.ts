import { listAt } from './at.ts';
import { faultyProxy } from './fault-proxy.ts';
import { withBody } from './faults.ts';

/** The address of a proxy before a service whose list of integrations relates no options: only single reads tell their keys. */
export async function keylessList(target: string): Promise<string> {
  const { url } = await faultyProxy(target, ({ path }) =>
    path === '/api/integrations' ? withBody(withoutRelationships) : undefined,
  );
  return url;
}

function withoutRelationships(body: string): string {
  const document = JSON.parse(body);
  const data = listAt(document, 'data').map((each) => ({ ...(each as object), relationships: {} }));
  return JSON.stringify({ ...document, data });
}
