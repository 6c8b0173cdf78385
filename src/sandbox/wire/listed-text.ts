import type { User } from '../access/accounts.ts';
import type { ListedText, Service } from '../service.ts';
import type { StoredIntegration } from '../state/integration-state.ts';
import { encodeForReader } from './dialect.ts';

/**
 * The text of an integration in a list for this user. It is kept until the integration changes, since most of a page is
 * the same from one request to the next.
 */
export function listedText(service: Service, user: User, integration: StoredIntegration): ListedText {
  const view = `${service.rights.seesHiddenOptions(user)} ${service.rights.mayManageIntegration(user, integration.id)}`;
  const texts = service.listedTexts.get(integration) ?? new Map<string, ListedText>();
  const kept = texts.get(view);
  if (kept !== undefined) return kept;
  const { resource, included } = encodeForReader(service, user, integration, 'list');
  const made = {
    resource: Buffer.from(JSON.stringify(resource)),
    included: Buffer.from(included.map((each) => JSON.stringify(each)).join()),
  };
  service.listedTexts.set(integration, texts.set(view, made));
  return made;
}

/** The document of a list, joined from the bytes of its parts, without `included` where that is empty. */
export function listDocument(texts: readonly ListedText[], meta: object): Buffer {
  const data = commaSeparated(texts.map(({ resource }) => resource));
  const included = commaSeparated(texts.map((text) => text.included).filter(({ length }) => length > 0));
  return Buffer.concat([
    Buffer.from('{"data":['),
    ...data,
    Buffer.from(included.length > 0 ? '],"included":[' : ''),
    ...included,
    Buffer.from(`],"meta":${JSON.stringify(meta)}}`),
  ]);
}

const COMMA = Buffer.from(',');

function commaSeparated(parts: readonly Buffer[]): Buffer[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
}
