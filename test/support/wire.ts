import { decodeIntegrations } from '../../src/core/live/integration.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { encoderFor } from '../../src/core/plan/requests.ts';

/** An integration as a server holds it. */
export interface WireIntegration {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly options: readonly {
    readonly key: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** A page of the list, with the values of options inside the relationship. */
export function page(
  integrations: readonly WireIntegration[],
  total = integrations.length,
): unknown {
  const data = integrations.map(({ id, attributes, options }) => ({
    id,
    type: 'integrations',
    attributes,
    relationships: {
      'integration-errors': { data: [] },
      'integration-options': {
        data: options.map((option) => ({
          id: `${id}-${option.key}`,
          type: 'integration-options',
          attributes: { key: option.key, ...option.attributes },
        })),
      },
    },
  }));
  return { data, meta: { page: { number: 1, size: 100, total } } };
}

/** What the client makes of pages. */
export function decoded(...pages: readonly unknown[]): LiveIntegration[] {
  return pages.flatMap((body) => {
    const found = decodeIntegrations(body);
    if (typeof found === 'string') throw new Error(found);
    return found.items;
  });
}

type Patched = { readonly id: string; readonly attributes: object };

/** What a server holds after a PATCH, as the document describes it: only what was sent changes. */
export function patched(
  integrations: readonly WireIntegration[],
  { path, body }: ReturnType<ReturnType<typeof encoderFor>>[number],
): WireIntegration[] {
  const { data } = body as { data: Patched[] | Patched };
  return integrations.map((integration) => {
    if (!Array.isArray(data)) {
      const isMeant =
        path === `/api/integrations/${integration.id}` &&
        data.id === integration.id;
      return isMeant
        ? {
            ...integration,
            attributes: { ...integration.attributes, ...data.attributes },
          }
        : integration;
    }
    const options = integration.options.map((option) => {
      const sent = data.find(
        ({ id }) => id === `${integration.id}-${option.key}`,
      );
      return sent === undefined
        ? option
        : {
            ...option,
            attributes: { ...option.attributes, ...sent.attributes },
          };
    });
    return { ...integration, options };
  });
}
