import { configSchema } from '../../generated/config-schema.ts';
import { compareText } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/lists.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { hiddenSide } from '../model/side.ts';
import type { Choice } from '../model/value.ts';
import {
  choicesSchema,
  type JsonSchema,
  optionSchema,
} from './option-schema.ts';

const { definitions, properties } = configSchema;
const {
  options: anyOptions,
  match: anyMatch,
  ...otherFields
} = definitions.integration.properties;

/**
 * The schema of a configuration for these integrations: an entry whose `match`
 * means one of them, or whose key is its base name or id, gets its option keys,
 * types, choices and descriptions. Other entries are as in the plain schema.
 */
export function tailoredSchema(
  integrations: readonly LiveIntegration[],
): JsonSchema {
  const kinds = kindsOf(integrations);
  if (kinds.length === 0) return configSchema;
  return {
    ...configSchema,
    properties: {
      ...properties,
      integrations: { ...properties.integrations, ...entriesByKey(kinds) },
    },
    definitions: {
      ...definitions,
      match: { ...definitions.match, examples: kinds.map(globOf) },
      integration: {
        ...definitions.integration,
        properties: fields(anyMatch, OPTIONS),
        allOf: byMatch(kinds),
      },
      ...definitionsOf(kinds),
      // Editors show nothing of it: it is for reading the schema back.
      installed: { examples: kinds.map(({ definition }) => definition) },
    },
  };
}

/** All copies of one integration. */
interface Kind {
  /** The part of the id that is the same everywhere. */
  base: string;
  definition: Definition;
  /** The options of all copies, in the order of the integration. */
  options: readonly LiveOption[];
  /**
   * The base of the first integration with these options: others share their
   * schema.
   */
  owner: string;
}

/** An integration as its own configuration file defines it, and its ids. */
interface Definition {
  ids: readonly string[];
  name: string;
  acronym: string | undefined;
  description: string;
  options: readonly object[];
}

/** Groups integrations by their base name, ordered by it. */
function kindsOf(integrations: readonly LiveIntegration[]): readonly Kind[] {
  const groups = grouped(integrations, ({ id }) => safeBaseOf(id));
  const owners = new Map<string, string>();
  const kinds: Kind[] = [];
  for (const base of [...groups.keys()].sort(compareText)) {
    const copies = groups.get(base) ?? [];
    // What is read last is newest.
    const { name, acronym, description = '' } = copies.at(-1) ?? {};
    const ids = [...new Set(copies.map(({ id }) => id))].sort(compareText);
    const options = optionsOf(copies);
    const defined = options.map(optionDefinition);
    const content = JSON.stringify(defined);
    const owner = owners.get(content) ?? base;
    owners.set(content, owner);
    const words = { name: name || base, acronym, description };
    const definition = { ids, ...words, options: defined };
    kinds.push({ base, definition, options, owner });
  }
  return kinds;
}

/** The base of an id. If it has odd characters, `match` needs the name. */
function safeBaseOf(id: string): string {
  return baseOfId(id).replace(/[^\w-]/g, '_');
}

/** The options of all copies. */
function optionsOf(copies: readonly LiveIntegration[]): readonly LiveOption[] {
  const options = new Map<string, LiveOption>();
  for (const copy of copies) {
    for (const option of copy.options.values()) {
      const known = options.get(option.key);
      options.set(option.key, known ? joined(known, option) : option);
    }
  }
  return [...options.values()];
}

/**
 * An option that takes what either of two takes, and is called as the newer.
 */
function joined(older: LiveOption, newer: LiveOption): LiveOption {
  if (formOf(older) !== formOf(newer)) {
    const isOfAny = { type: undefined, multiple: undefined, choices: [] };
    return { ...newer, value: hiddenSide('absent'), ...isOfAny };
  }
  // A server that lists none fills them in at run time.
  const isOpen = older.choices.length * newer.choices.length === 0;
  const choices = new Map<string, Choice>();
  for (const choice of [...older.choices, ...newer.choices])
    choices.set(choice.value, choice);
  return { ...newer, choices: isOpen ? [] : [...choices.values()] };
}

/**
 * An option as a configuration file of an integration defines it; its title
 * under another key, as names are not masked.
 */
function optionDefinition(option: LiveOption): object {
  const { key, title, description, choices } = option;
  const form = formOf(option);
  const multiple = form === 'multi-select' || undefined;
  const type = form === 'select' || multiple ? 'select' : option.type;
  return { key, title, description, type, multiple, options: choices };
}

function globOf(kind: Kind): string {
  return `${kind.base}_*`;
}

/** What ids have behind the base: a version. */
const VERSION = '(_v\\d+)?(_\\d+_\\d+_\\d+)?';

/** The entries that say by their keys which integration they mean. */
function entriesByKey(kinds: readonly Kind[]): JsonSchema {
  const byBase: NamedSchema[] = [];
  const byId: NamedSchema[] = [];
  for (const { base } of kinds) {
    byBase.push([base, ref('entry', base)]);
    byId.push([`^${base}${VERSION}_node_\\w+$`, ref('entry', base)]);
  }
  return {
    properties: Object.fromEntries(byBase),
    // As properties, an editor would offer each integration twice.
    patternProperties: Object.fromEntries(byId),
  };
}

/** What the schemas of all maps of options begin with. */
const OPTIONS = { description: anyOptions.description, type: anyOptions.type };

function fields(match: JsonSchema, options: JsonSchema): JsonSchema {
  return { match, ...otherFields, options };
}

/** Decides by the `match` of an entry which options it has. */
function byMatch(kinds: readonly Kind[]): readonly JsonSchema[] {
  const conditions: JsonSchema[] = [];
  const known: JsonSchema[] = [];
  for (const { base, owner } of kinds) {
    known.push(ref('match', base));
    conditions.push({
      if: withKey('match', ref('match', base)),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { options: ref('options', owner) } },
    });
  }
  conditions.push({
    if: withKey('match', { anyOf: known }),
    else: { properties: { options: anyOptions } },
  });
  return conditions;
}

/** A schema and its name among those beside it. */
type NamedSchema = readonly [name: string, schema: JsonSchema];

/** The definitions of all integrations. */
function definitionsOf(kinds: readonly Kind[]): JsonSchema {
  const named: NamedSchema[] = [];
  for (const kind of kinds) {
    named.push([`match-${kind.base}`, matchSchema(kind)]);
    named.push([`entry-${kind.base}`, entrySchema(kind)]);
    if (kind.owner === kind.base) named.push(...optionSchemas(kind));
  }
  return Object.fromEntries(named);
}

/**
 * The definitions of the options of an integration, and of the choices they
 * list.
 */
function optionSchemas({ base, options }: Kind): readonly NamedSchema[] {
  const byKey: NamedSchema[] = [];
  const listed: NamedSchema[] = [];
  for (const [index, option] of options.entries()) {
    const { key, choices } = option;
    const name = `${base}-${index}`;
    byKey.push([key, optionSchema(option, ref('choices', name))]);
    if (choices.length === 0) continue;
    listed.push([`choices-${name}`, choicesSchema(choices)]);
  }
  const properties = Object.fromEntries(byKey);
  const schema = { ...OPTIONS, additionalProperties: false, properties };
  return [[`options-${base}`, schema], ...listed];
}

/** The matches that mean an integration. */
function matchSchema({ base }: Kind): JsonSchema {
  // Behind the base comes a wildcard or what ids have there: `servicenow_*`
  // means `servicenow`, `servicenow_sir_*` does not.
  const pattern = `^${base}${VERSION}(_node_.*|(_v?)?[*?{(\\[!+@].*)?$`;
  const id = { type: 'string', pattern };
  return {
    description: `A match that means ${base}.`,
    anyOf: [id, withKey('id', id)],
  };
}

/** An entry whose key means an integration, unless its `match` says more. */
function entrySchema(kind: Kind): JsonSchema {
  const { name, description: words } = kind.definition;
  const description = words === '' ? `${name}.` : `${name}: ${words}`;
  const match = {
    description: definitions.match.description,
    default: globOf(kind),
    allOf: [anyMatch],
  };
  const properties = fields(match, ref('options', kind.owner));
  return {
    description,
    type: ['object', 'null'],
    if: { type: 'object', required: ['match'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/definitions/integration' },
    else: { ...definitions.integration, title: name, description, properties },
  };
}

/** A map that has a key with such a value. */
function withKey(key: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', required: [key], properties: { [key]: schema } };
}

/** A reference to a definition. */
function ref(
  kind: 'match' | 'options' | 'entry' | 'choices',
  name: string,
): JsonSchema {
  return { $ref: `#/definitions/${kind}-${name}` };
}
