import { configSchema } from '../../generated/config-schema.ts';
import { compareText } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { isSecretType } from '../model/secrecy.ts';
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
        properties: fields(anyMatch, LATER),
        allOf: byMatch(kinds),
      },
      ...definitionsOf(kinds),
    },
  };
}

/** All copies of one integration. */
interface Kind {
  /** The part of the id that is the same everywhere. */
  readonly base: string;
  readonly ids: readonly string[];
  /** A pattern for the base and a version behind it. */
  readonly pattern: string;
  readonly name: string;
  readonly acronym?: string | undefined;
  readonly summary: string;
  /** The options of all copies, in the order of the integration. */
  readonly options: readonly LiveOption[];
}

/** Groups integrations by their base name, ordered by it. */
function kindsOf(integrations: readonly LiveIntegration[]): readonly Kind[] {
  const groups = grouped(integrations, ({ id }) => safeBaseOf(id));
  const bases = [...groups.keys()].sort(compareText);
  const kinds: Kind[] = [];
  for (const base of bases) {
    const copies = groups.get(base) ?? [];
    // What is read last is newest.
    const { name = base, acronym, description = '' } = copies.at(-1) ?? {};
    const summary = description === '' ? `${name}.` : `${name}: ${description}`;
    const pattern = versioned(base, bases);
    const ids = [...new Set(copies.map(({ id }) => id))].sort(compareText);
    const options = optionsOf(copies);
    kinds.push({ base, ids, pattern, name, acronym, summary, options });
  }
  return kinds;
}

/** The base of an id. If it has odd characters, `match` needs the name. */
function safeBaseOf(id: string): string {
  return baseOfId(id).replace(/[^\w-]/g, '_');
}

function versioned(base: string, bases: readonly string[]): string {
  const pattern = `${base}(_v\\d+)?(_\\d+){0,3}`;
  const longer = bases.filter((name) => name.startsWith(base) && name !== base);
  if (longer.length === 0) return pattern;
  // A likely version may belong to the name of another integration.
  return `(?!(?:${longer.join('|')})(?![0-9A-Za-z]))${pattern}`;
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

/** An option that takes what either of two takes, and is called as the newer. */
function joined(older: LiveOption, newer: LiveOption): LiveOption {
  const hasForm = formOf(older) === formOf(newer);
  const isAlike = isSecretType(older.type) === isSecretType(newer.type);
  if (!hasForm || !isAlike) {
    const value = { kind: 'hidden', reason: 'absent' } as const;
    const type = hasForm ? 'text' : undefined;
    return { ...newer, value, type, choices: [], multiple: undefined };
  }
  const choices = new Map<string, Choice>();
  for (const choice of [...older.choices, ...newer.choices])
    choices.set(choice.value, choice);
  const listed = older.choices.length * newer.choices.length > 0;
  const multiple = newer.multiple ?? older.multiple;
  return { ...newer, multiple, choices: listed ? [...choices.values()] : [] };
}

function globOf(kind: Kind): string {
  return `${kind.base}_*`;
}

/** The entries that say by their keys which integration they mean. */
function entriesByKey(kinds: readonly Kind[]): JsonSchema {
  const byBase = kinds.map((kind) => [kind.base, underOwnKey(kind)]);
  const byId = kinds.map((kind) => {
    return [`^${kind.pattern}_node_\\w+$`, underOwnKey(kind)];
  });
  return {
    properties: Object.fromEntries(byBase),
    // As properties, an editor would offer each integration twice.
    patternProperties: Object.fromEntries(byId),
  };
}

/** An entry whose key means an integration, unless its `match` says more. */
function underOwnKey(kind: Kind): JsonSchema {
  return {
    description: kind.summary,
    type: ['object', 'null'],
    if: { type: 'object', required: ['match'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/definitions/integration' },
    else: ref('entry', kind.base),
  };
}

/** Options whose schema another part of the entry decides. */
const LATER = { description: anyOptions.description, type: anyOptions.type };

function fields(match: JsonSchema, options: JsonSchema): JsonSchema {
  return { match, ...otherFields, options };
}

/** Decides by the `match` of an entry which options it has. */
function byMatch(kinds: readonly Kind[]): readonly JsonSchema[] {
  const conditions: JsonSchema[] = [];
  const known: JsonSchema[] = [];
  for (const { base } of kinds) {
    known.push(ref('match', base));
    conditions.push({
      if: withKey('match', ref('match', base)),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { options: ref('options', base) } },
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
  // The first integration with these options: others share their schemas.
  const owners = new Map<string, string>();
  for (const kind of kinds) {
    const { base, options } = kind;
    const content = JSON.stringify(keySchemas(options, ''));
    const owner = owners.get(content) ?? base;
    if (owner === base) named.push(...keySchemas(options, base));
    owners.set(content, owner);
    named.push([`match-${base}`, matchSchema(kind)]);
    named.push([`options-${base}`, optionsSchema(kind, owner)]);
    named.push([`entry-${base}`, entrySchema(kind)]);
  }
  return Object.fromEntries(named);
}

/** The definitions of the keys of options, and of the choices they list. */
function keySchemas(
  options: readonly LiveOption[],
  owner: string,
): readonly NamedSchema[] {
  const byKey: NamedSchema[] = [];
  const listed: NamedSchema[] = [];
  // Read back, options may have another order.
  const ordered = options.toSorted((a, b) => compareText(a.key, b.key));
  for (const [index, option] of ordered.entries()) {
    const name = `${owner}-${index}`;
    const { key, choices } = option;
    byKey.push([key, optionSchema(option, ref('choices', name))]);
    if (choices.length === 0) continue;
    listed.push([`choices-${name}`, choicesSchema(choices)]);
  }
  const properties = Object.fromEntries(byKey);
  const schema = { additionalProperties: false, properties };
  return [[`keys-${owner}`, schema], ...listed];
}

/** The matches that mean an integration. */
function matchSchema(kind: Kind): JsonSchema {
  // Behind the base comes a wildcard or what ids have there: `servicenow_*`
  // means `servicenow`, `servicenow_sir_*` does not.
  const pattern = `^${kind.pattern}(_node_.*|_?[*?{(\\[!+@].*)?$`;
  const id = { type: 'string', pattern };
  return {
    description: `A match that means ${kind.base}.`,
    examples: kind.ids,
    anyOf: [id, withKey('id', id)],
  };
}

/** `owner` is the integration whose option keys are the same. */
function optionsSchema(kind: Kind, owner: string): JsonSchema {
  return {
    description: `The managed options of ${kind.summary}`,
    type: ['object', 'null'],
    // Behind allOf, so that an editor that completes `options` leaves the
    // defaults out.
    allOf: [ref('keys', owner)],
  };
}

/** An entry under the name of an integration. */
function entrySchema(kind: Kind): JsonSchema {
  const match = {
    description: definitions.match.description,
    default: globOf(kind),
    allOf: [anyMatch],
  };
  return {
    ...definitions.integration,
    title: kind.name,
    // No editor shows it: it is for reading the schema back.
    $comment: kind.acronym,
    description: kind.summary,
    properties: fields(match, ref('options', kind.base)),
  };
}

/** A map that has a key with such a value. */
function withKey(key: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', required: [key], properties: { [key]: schema } };
}

/** A reference to a definition. */
function ref(
  kind: 'match' | 'options' | 'keys' | 'entry' | 'choices',
  name: string,
): JsonSchema {
  return { $ref: `#/definitions/${kind}-${name}` };
}
