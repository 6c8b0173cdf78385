import { isRecord, listOf, recordOf, textOf } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Choice } from '../model/value.ts';

/** Unknown data with keys. */
type Fields = Readonly<Record<string, unknown>>;

/** The options of an integration, by key. */
type Options = ReadonlyMap<string, LiveOption>;

/**
 * Reads integrations back from a schema that `tailoredSchema` made, as a
 * catalog: names, and options with their types and choices, without values.
 * Empty for any other data.
 */
export function integrationsIn(schema: unknown): readonly LiveIntegration[] {
  const definitions = recordOf(recordOf(schema)['definitions']);
  // Integrations with the same options share their schemas.
  const read = new Map<string, Options>();
  const integrations: LiveIntegration[] = [];
  for (const [name, entry] of Object.entries(definitions)) {
    const base = name.match(/^entry-(.+)$/)?.[1] ?? '';
    const options = recordOf(definitions[`options-${base}`]);
    const keys = referredName(listOf(options['allOf'])[0]);
    if (!isRecord(definitions[keys])) continue;
    const known = read.get(keys) ?? optionsOf(definitions, keys);
    read.set(keys, known);
    integrations.push(asInstalled(base, recordOf(entry), known));
  }
  return integrations;
}

function asInstalled(
  base: string,
  entry: Fields,
  options: Options,
): LiveIntegration {
  return {
    // Zeros stand where a server puts the time.
    id: `${base}_node_18_0000000000`,
    name: textOf(entry['title']),
    errorCount: 0,
    optionKeys: new Set(options.keys()),
    options,
  };
}

function optionsOf(definitions: Fields, keys: string): Options {
  const { properties } = recordOf(definitions[keys]);
  const options = new Map<string, LiveOption>();
  for (const [key, schema] of Object.entries(recordOf(properties))) {
    options.set(key, optionOf(definitions, key, recordOf(schema)));
  }
  return options;
}

function optionOf(
  definitions: Fields,
  key: string,
  schema: Fields,
): LiveOption {
  const form = recordOf(listOf(schema['anyOf'])[0]);
  const isList = form['type'] === 'array';
  const item = isList ? listOf(recordOf(form['items'])['anyOf'])[0] : form;
  const listed = definitions[referredName(item)];
  const type = schema['writeOnly'] === true ? 'password' : typeOf(form);
  return {
    key,
    value: { kind: 'hidden', reason: 'absent' },
    permission: 'unknown',
    type,
    choices: choicesIn(recordOf(listed)),
    // Servers need not say that a select takes one choice.
    multiple: isList || undefined,
  };
}

/** The type of an option by the first form of its values. */
function typeOf(form: Fields): string | undefined {
  if (form['$ref'] === ANY_OPTION) return undefined;
  switch (form['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'boolean':
      return form['type'];
    default:
      return 'select';
  }
}

const ANY_OPTION = '#/definitions/option';

/** The choices that a definition lists; empty if it lists none. */
function choicesIn(definition: Fields): readonly Choice[] {
  const choices: Choice[] = [];
  for (const item of listOf(definition['anyOf'])) {
    const { const: value, description } = recordOf(item);
    if (typeof value !== 'string') continue;
    choices.push({ value, display: textOf(description) ?? value });
  }
  return choices;
}

/** The name of the definition that a schema refers to; empty without one. */
function referredName(schema: unknown): string {
  const reference = isRecord(schema) ? textOf(schema['$ref']) : undefined;
  return reference?.replace('#/definitions/', '') ?? '';
}
