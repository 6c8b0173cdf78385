import { isRecord, listOf, recordOf, textOf } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Choice, OptionValue } from '../model/value.ts';
import { defaultText, SECRET_TEXT } from './option-schema.ts';

/** Unknown data with keys. */
type Fields = Readonly<Record<string, unknown>>;

/** The options of all copies of an integration. */
interface KnownOptions {
  readonly options: ReadonlyMap<string, LiveOption>;
  readonly optionKeys: ReadonlySet<string>;
}

/**
 * Reads integrations back from a schema that `tailoredSchema` made: ids, names,
 * and options with their types and choices, without values. Empty for any other
 * data.
 */
export function integrationsIn(schema: unknown): readonly LiveIntegration[] {
  const definitions = recordOf(recordOf(schema)['definitions']);
  // Integrations with the same options share their schemas.
  const read = new Map<string, KnownOptions>();
  const integrations: LiveIntegration[] = [];
  for (const [key, entry] of Object.entries(definitions)) {
    const [, base] = key.match(/^entry-(.+)$/) ?? [];
    if (base === undefined) continue;
    const keys = keysNameOf(definitions, base);
    const known = read.get(keys) ?? optionsOf(definitions, keys);
    if (known === undefined) continue;
    read.set(keys, known);
    const { options, optionKeys } = known;
    const { title, $comment, description: summary } = recordOf(entry);
    const name = textOf(title);
    const description = textOf(summary)?.slice(`${name}: `.length);
    const words = { name, acronym: textOf($comment), description };
    for (const id of idsOf(definitions, base)) {
      integrations.push({ id, ...words, errorCount: 0, optionKeys, options });
    }
  }
  return integrations;
}

/** The ids of the copies of an integration when the schema was made. */
function idsOf(definitions: Fields, base: string): string[] {
  const { examples } = recordOf(definitions[`match-${base}`]);
  const ids: string[] = [];
  for (const id of listOf(examples)) if (typeof id === 'string') ids.push(id);
  return ids;
}

/** The name of the definition that has the option keys of an integration. */
function keysNameOf(definitions: Fields, base: string): string {
  const options = recordOf(definitions[`options-${base}`]);
  return referredName(listOf(options['allOf'])[0]);
}

function optionsOf(
  definitions: Fields,
  keys: string,
): KnownOptions | undefined {
  const schema = definitions[keys];
  if (!isRecord(schema)) return undefined;
  const options = new Map<string, LiveOption>();
  for (const [key, own] of Object.entries(recordOf(schema['properties']))) {
    options.set(key, optionOf(definitions, key, recordOf(own)));
  }
  return { options, optionKeys: new Set(options.keys()) };
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
    title: textOf(schema['title']),
    description: descriptionIn(schema),
    initial: initialIn(schema['default']),
    // Servers need not say that a select takes one choice.
    multiple: isList || undefined,
  };
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
  const plain = (text: unknown): string =>
    String(text).replaceAll('$${', () => '${');
  if (Array.isArray(initial))
    return initial.map((value) => ({ value: plain(value), display: '' }));
  if (typeof initial === 'number' || typeof initial === 'boolean')
    return initial;
  return initial === undefined ? undefined : plain(initial);
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
    const { const: written, description } = recordOf(item);
    if (typeof written !== 'string') continue;
    const value = written.replaceAll('$${', () => '${');
    choices.push({ value, display: textOf(description) ?? value });
  }
  return choices;
}

/** The name of the definition that a schema refers to; empty without one. */
function referredName(schema: unknown): string {
  const reference = isRecord(schema) ? textOf(schema['$ref']) : undefined;
  return reference?.replace('#/definitions/', '') ?? '';
}
