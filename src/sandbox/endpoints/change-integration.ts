import { isRecord } from '../../core/model/json.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { Attributes } from '../state/integration.ts';
import { pointer, Refusal, refusal } from '../wire/refusal.ts';
import { withRaisedError } from './integration-errors.ts';
import { findIntegration, integrationAnswer } from './integrations.ts';

/** The attributes that can change, with their types. */
const UPDATABLE: Readonly<Record<string, string>> = {
  autosubscribe: 'boolean',
  name: 'string',
  acronym: 'string',
};

/** Section 4.8, PATCH /api/integrations/<INTEGRATION_ID>: attributes of an integration, all or nothing. */
export async function changeIntegration(service: Service, { user, params, body }: Call): Promise<Answer> {
  const integration = findIntegration(service, params['id'] ?? '');
  const attributes = decodeAttributes(integration.id, body);
  const after = await service.store.change(integration, (before) =>
    withRaisedError(service, { ...before, attributes: { ...before.attributes, ...attributes } }, user),
  );
  return integrationAnswer(service, user, after);
}

/** The attributes to set. The body repeats the id and may repeat the type; 409 if either differs. */
function decodeAttributes(integrationId: string, body: unknown): Attributes {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!isRecord(data) || typeof data['id'] !== 'string' || !isRecord(data['attributes']))
    throw refusal(400, '`data` must be an object with id and attributes.', { pointer: '/data' });
  const { id, type = 'integrations', attributes } = data;
  if (id !== integrationId) throw refusal(409, '`id` is not the id in the address.', { pointer: '/data/id' });
  if (type !== 'integrations' && type !== 'integration')
    throw refusal(409, '`type` must be integrations.', { pointer: '/data/type' });
  const wrong = Object.entries(attributes).filter(
    ([name, value]) => !Object.hasOwn(UPDATABLE, name) || UPDATABLE[name] !== typeof value,
  );
  if (wrong.length === 0) return attributes as Attributes;
  throw new Refusal(
    422,
    wrong.map(([name]) => ({
      detail: `${name} cannot be changed, or not to this value.`,
      source: { pointer: pointer('data', 'attributes', name) },
    })),
  );
}
