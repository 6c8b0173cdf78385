import {
  type Fields,
  isRecord,
  listOf,
  recordOf,
  textOf,
} from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { type Choice, type OptionValue, plainText } from '../model/value.ts';
import { defaultText, SECRET_TEXT } from './option-schema.ts';

/**
 * Reads integrations back from a schema that `tailoredSchema` made: ids, names,
 * and options with their types and choices, without values. Empty for any other
 * data.
 */
export function integrationsIn(schema: unknown): readonly LiveIntegration[] {
  const definitions = recordOf(recordOf(schema)['definitions']);
  // Integrations with the same options share their schemas.
  const read = new Map<Fields, ReadonlyMap<string, LiveOption>>();
  const integrations: LiveIntegration[] = [];
  for (const [key, entry] of Object.entries(definitions)) {
    const [, base] = key.match(/^entry-(.+)$/) ?? [];
    const { allOf } = recordOf(definitions[`options-${base}`]);
    const keys = referred(listOf(allOf)[0], definitions);
    if (base === undefined || keys === undefined) continue;
    const options = read.get(keys) ?? optionsOf(keys, definitions);
    read.set(keys, options);
    const { title, $comment, description: summary } = recordOf(entry);
    const name = textOf(title);
    const description = textOf(summary)?.slice(`${name}: `.length);
    const words = { name, acronym: textOf($comment), description };
    const optionKeys = new Set(options.keys());
    // The ids of all copies when the schema was made.
    const { examples } = recordOf(definitions[`match-${base}`]);
    for (const id of listOf(examples)) {
      if (typeof id !== 'string') continue;
      integrations.push({ id, ...words, errorCount: 0, optionKeys, options });
    }
  }
  return integrations;
}

/** The definition that a schema refers to. */
function referred(schema: unknown, definitions: Fields): Fields | undefined {
  const reference = textOf(recordOf(schema)['$ref']) ?? '';
  const definition = definitions[reference.replace('#/definitions/', '')];
  return isRecord(definition) ? definition : undefined;
}

function optionsOf(
  keys: Fields,
  definitions: Fields,
): ReadonlyMap<string, LiveOption> {
  const options = new Map<string, LiveOption>();
  for (const [key, option] of Object.entries(recordOf(keys['properties']))) {
    const schema = recordOf(option);
    const form = recordOf(listOf(schema['anyOf'])[0]);
    const isList = form['type'] === 'array';
    const item = isList ? listOf(recordOf(form['items'])['anyOf'])[0] : form;
    options.set(key, {
      key,
      value: { kind: 'hidden', reason: 'absent' },
      permission: 'unknown',
      type: schema['writeOnly'] === true ? 'password' : typeOf(form),
      choices: choicesIn(referred(item, definitions)),
      title: textOf(schema['title']),
      description: descriptionIn(schema),
      initial: initialIn(schema['default']),
      // Servers need not say that a select takes one choice.
      multiple: isList || undefined,
    });
  }
  return options;
}

/** The description of an option, without what its schema adds. */
function descriptionIn(schema: Fields): string | undefined {
  const { title, default: initial } = schema;
  let text = textOf(schema['description']) ?? '';
  if (initial !== undefined) text = withoutEnd(text, defaultText(initial));
  text = withoutEnd(text, SECRET_TEXT);
  return text === title ? '' : text;
}

/** A text without another one at its end, and what is between the two. */
function withoutEnd(text: string, end: string): string {
  return text.endsWith(end)
    ? text.slice(0, -end.length).replace(/\n\n$/, '')
    : text;
}

/** The value of a fresh installation, by the short form that a schema has. */
function initialIn(initial: unknown): OptionValue | undefined {
  if (Array.isArray(initial)) {
    return initial.map((value) => {
      return { value: plainText(String(value)), display: '' };
    });
  }
  if (typeof initial === 'number' || typeof initial === 'boolean')
    return initial;
  return initial === undefined ? undefined : plainText(String(initial));
}

/** The type of an option by the first form of its values. */
function typeOf({ $ref, type }: Fields): string | undefined {
  if ($ref === '#/definitions/option') return undefined;
  if (type === 'string') return 'text';
  return type === 'number' || type === 'boolean' ? type : 'select';
}

/** The choices that a definition lists; empty if it lists none. */
function choicesIn(definition: Fields | undefined): readonly Choice[] {
  const choices: Choice[] = [];
  for (const item of listOf(definition?.['anyOf'])) {
    const { const: written, description } = recordOf(item);
    if (typeof written !== 'string') continue;
    const value = plainText(written);
    choices.push({ value, display: textOf(description) ?? value });
  }
  return choices;
}
