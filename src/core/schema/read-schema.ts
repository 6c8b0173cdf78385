import { isRecord, listOf, recordOf, textOf } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Choice } from '../model/value.ts';

/**
 * Reads integrations back from a schema that `tailoredSchema` made: ids, names,
 * and options with their types and choices, without values. Empty for any other
 * data.
 */
export function integrationsIn(schema: unknown): readonly LiveIntegration[] {
  const definitions = recordOf(at(schema, 'definitions'));
  // Integrations with the same options share their schemas.
  const read = new Map<string, ReadonlyMap<string, LiveOption>>();
  const integrations: LiveIntegration[] = [];
  for (const [key, entry] of Object.entries(definitions)) {
    const [, base] = key.match(/^entry-(.+)$/) ?? [];
    if (base === undefined) continue;
    const keys = referredIn(at(definitions, `options-${base}`, 'allOf', 0));
    const named = definitions[keys];
    if (!isRecord(named)) continue;
    const options = read.get(keys) ?? optionsIn(definitions, named);
    read.set(keys, options);
    const { title, $comment } = recordOf(entry);
    const names = { name: textOf(title), acronym: textOf($comment) };
    const optionKeys = new Set(options.keys());
    for (const id of listOf(at(definitions, `match-${base}`, 'examples'))) {
      if (typeof id !== 'string') continue;
      integrations.push({ id, ...names, errorCount: 0, optionKeys, options });
    }
  }
  return integrations;
}

/** What stands at a path in unknown data. */
function at(data: unknown, ...path: readonly (string | number)[]): unknown {
  let found = data;
  for (const key of path) {
    found = typeof key === 'number' ? listOf(found)[key] : recordOf(found)[key];
  }
  return found;
}

/** The name of the definition that a schema refers to; empty without one. */
function referredIn(schema: unknown): string {
  const reference = textOf(at(schema, '$ref')) ?? '';
  return reference.replace('#/definitions/', '');
}

function optionsIn(
  definitions: unknown,
  named: unknown,
): ReadonlyMap<string, LiveOption> {
  const options = new Map<string, LiveOption>();
  const schemas = recordOf(at(named, 'properties'));
  for (const [key, schema] of Object.entries(schemas)) {
    const form = at(schema, 'anyOf', 0);
    const isList = at(form, 'type') === 'array';
    const item = isList ? at(form, 'items', 'anyOf', 0) : form;
    const isSecret = at(schema, 'writeOnly') === true;
    options.set(key, {
      key,
      value: { kind: 'hidden', reason: 'absent' },
      permission: 'unknown',
      type: isSecret ? 'password' : typeOf(form),
      choices: choicesIn(at(definitions, referredIn(item))),
      // Servers need not say that a select takes one choice.
      multiple: isList || undefined,
    });
  }
  return options;
}

/** The type of an option by the first form of its values. */
function typeOf(form: unknown): string | undefined {
  if (referredIn(form) === 'option') return undefined;
  const type = at(form, 'type');
  if (type === 'string') return 'text';
  return type === 'number' || type === 'boolean' ? type : 'select';
}

/** The choices that a definition lists; empty if it lists none. */
function choicesIn(definition: unknown): readonly Choice[] {
  const choices: Choice[] = [];
  for (const item of listOf(at(definition, 'anyOf'))) {
    const { const: written, description } = recordOf(item);
    if (typeof written !== 'string') continue;
    const value = written.replaceAll('$${', () => '${');
    choices.push({ value, display: textOf(description) ?? value });
  }
  return choices;
}
