import { isRecord } from '../../core/model/json.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Attributes, StoredIntegration } from '../state/integration-state.ts';
import { type Problem, pointer, Refusal, refusal } from '../wire/refusal.ts';
import { acceptedTypes, INTEGRATIONS } from '../wire/resources.ts';
import { findIntegration, integrationAnswer, requireManaged } from './integrations.ts';
import { raisedErrors } from './raised-error.ts';

/** Section 4.8, PATCH /api/integrations/<INTEGRATION_ID>: attributes of an integration, all or nothing. */
export async function changeIntegration(service: Service, { user, params, body }: Call): Promise<Answer> {
  const integration = findIntegration(service, params['id'] ?? '');
  requireManaged(service, user, integration.id);
  const attributes = decodeAttributes(service, integration, body);
  const change = { id: integration.id, attributes, ...raisedErrors(service, integration, user) };
  const after = await service.store.commit(change);
  return service.settings.patchAnswer === 'empty' ? { status: 204 } : integrationAnswer(service, user, after);
}

/** The attributes to set. The body repeats the id, and may or must repeat the type; 409 where either differs. */
function decodeAttributes(service: Service, integration: StoredIntegration, body: unknown): Attributes {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!isRecord(data))
    throw refusal(400, '`data` must be an object with id and attributes.', { pointer: '/data' });
  const { id, type, attributes } = data;
  if (typeof id !== 'string')
    throw refusal(400, '`id` must be the id of the integration.', { pointer: '/data/id' });
  if (!isRecord(attributes))
    throw refusal(400, '`attributes` must be an object.', { pointer: '/data/attributes' });
  if (id !== integration.id)
    throw refusal(409, '`id` is not the id in the address.', { pointer: '/data/id' });
  requireType(service.settings, type);
  const problems = Object.entries(attributes).flatMap(([name, value]) =>
    problemsOf(service, integration, name, value),
  );
  if (problems.length === 0) return attributes as Attributes;
  throw new Refusal(Number(service.settings.refusalStatus), problems, {
    title: 'Failed to update integration',
  });
}

function requireType(settings: SandboxSettings, type: unknown): void {
  const types = acceptedTypes(INTEGRATIONS, settings);
  const fits =
    type === undefined ? settings.integrationType === 'optional' : types.some((each) => each === type);
  if (!fits) throw refusal(409, `\`type\` must be ${types.join(' or ')}.`, { pointer: '/data/type' });
}

/** Only the attributes that the settings list can change, and only to a value of the same type. */
function problemsOf(
  { settings }: Service,
  { attributes }: StoredIntegration,
  name: string,
  value: unknown,
): Problem[] {
  const source = { pointer: pointer('data', 'attributes', name) };
  const before = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (before === undefined || !settings.updatable.includes(name))
    return [{ detail: 'This attribute cannot be changed.', source }];
  const fits = typeof value === typeof before && typeof value !== 'object';
  return fits ? [] : [{ detail: `The attribute must be a ${typeof before}.`, source }];
}
