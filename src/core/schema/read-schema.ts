import { decodeDefinition } from '../model/definition.ts';
import { listOf, recordOf } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';

/**
 * Reads integrations back from a schema that `tailoredSchema` made: ids, names,
 * and options with their types and choices, without values. Empty for any other
 * data.
 */
export function integrationsIn(schema: unknown): readonly LiveIntegration[] {
  const definitions = recordOf(recordOf(schema)['definitions']);
  const { examples } = recordOf(definitions['installed']);
  const integrations: LiveIntegration[] = [];
  for (const example of listOf(examples)) {
    const definition = decodeDefinition('', example);
    if ('problem' in definition) continue;
    for (const id of listOf(recordOf(example)['ids'])) {
      if (typeof id === 'string') integrations.push({ ...definition, id });
    }
  }
  return integrations;
}
