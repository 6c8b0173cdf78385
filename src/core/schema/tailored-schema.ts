import { configSchema } from '../../generated/config-schema.ts';
import { compareText } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { optionSchema } from './option-schema.ts';

type JsonSchema = Parameters<typeof optionSchema>[1];

const { definitions, properties } = configSchema;
const {
  options: anyOptions,
  match,
  ...otherFields
} = definitions.integration.properties;

/**
 * The schema of a configuration for these integrations: an entry whose `match` means one of them, or whose key is its base
 * name or id, gets its option keys, types, choices and descriptions. Other entries are as in the plain schema.
 */
export function tailoredSchema(
  integrations: readonly LiveIntegration[],
): JsonSchema {
  const kinds = kindsOf(integrations);
  if (kinds.length === 0) return configSchema;
  const bases = kinds.map(({ base }) => base);
  return {
    ...configSchema,
    properties: {
      ...properties,
      integrations: {
        ...properties.integrations,
        properties: Object.fromEntries(
          kinds.map((kind) => [kind.base, underOwnKey(kind)]),
        ),
        // Not among the properties, so that an editor does not offer each integration twice.
        patternProperties: Object.fromEntries(
          kinds.map((kind) => [
            `^${versioned(kind.base, bases)}_node_\\w+$`,
            underOwnKey(kind),
          ]),
        ),
      },
    },
    definitions: {
      ...definitions,
      match: {
        ...definitions.match,
        examples: bases.map((base) => `${base}_*`),
      },
      integration: {
        ...definitions.integration,
        properties: fields(match, LATER),
        allOf: byMatch(kinds),
      },
      ...Object.fromEntries(
        kinds.flatMap((kind) => definitionsOf(kind, bases)),
      ),
    },
  };
}

/** Options whose schema another part of the entry decides. */
const LATER = { description: anyOptions.description, type: anyOptions.type };

function fields(matchSchema: JsonSchema, options: JsonSchema): JsonSchema {
  return { match: matchSchema, ...otherFields, options };
}

/** An entry whose key is the base name or an id of an integration; what it says itself in `match` goes first. */
function underOwnKey({ base, summary }: Kind): JsonSchema {
  return {
    description: summary,
    type: ['object', 'null'],
    if: { type: 'object', required: ['match'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/definitions/integration' },
    else: ref('entry', base),
  };
}

function byMatch(kinds: readonly Kind[]): readonly JsonSchema[] {
  const known = kinds.map(({ base }) => ref('match', base));
  return [
    ...kinds.map(({ base }) => ({
      if: withKey('match', ref('match', base)),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { options: ref('options', base) } },
    })),
    {
      if: withKey('match', { anyOf: known }),
      else: { properties: { options: anyOptions } },
    },
  ];
}

/** What is defined for each integration: how a match means it, its options and their choices, an entry under its name. */
function definitionsOf(
  { base, summary, options }: Kind,
  bases: readonly string[],
): [string, JsonSchema][] {
  const schemas = options.map((option, index) =>
    optionSchema(option, ref('choices', `${base}-${index}`)),
  );
  const byKey = Object.fromEntries(
    schemas.map(({ key, schema }) => [key, schema]),
  );
  const ownMatch = {
    description: definitions.match.description,
    default: `${base}_*`,
    allOf: [match],
  };
  const own = fields(ownMatch, ref('options', base));
  // Behind the base comes a wildcard or what ids have there: `servicenow_*` means `servicenow`, `servicenow_sir_*` does not.
  const id = {
    type: 'string',
    pattern: `^${versioned(base, bases)}(_node_.*|_?[*?{(\\[!+@].*)?$`,
  };
  return [
    [
      `match-${base}`,
      {
        description: `A match that means ${base}.`,
        anyOf: [id, withKey('id', id)],
      },
    ],
    [
      `options-${base}`,
      {
        description: `The managed options of ${summary}`,
        type: ['object', 'null'],
        // Behind allOf, so that an editor that completes the key `options` does not fill in every default.
        allOf: [{ additionalProperties: false, properties: byKey }],
      },
    ],
    [
      `entry-${base}`,
      { ...definitions.integration, description: summary, properties: own },
    ],
    ...schemas.flatMap(({ choices }, index): [string, JsonSchema][] =>
      choices === undefined ? [] : [[`choices-${base}-${index}`, choices]],
    ),
  ];
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

/** What a schema says of one integration, however many copies of it are installed. */
interface Kind {
  /** The part of the id that is the same everywhere. */
  readonly base: string;
  readonly summary: string;
  /** The options of all copies, in the order of the integration. */
  readonly options: readonly LiveOption[];
}

/** Groups integrations by their base name, ordered by it. */
function kindsOf(integrations: readonly LiveIntegration[]): Kind[] {
  // Ids have letters, digits, underscores and dashes; one with more is selected by its name alone.
  const groups = grouped(integrations, ({ id }) =>
    baseOfId(id).replace(/[^\w-]/g, '_'),
  );
  return [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([base, copies]) => {
      const { name = base, description = '' } = copies[0] ?? {};
      const options = copies.flatMap((each) => [...each.options.values()]);
      const firsts = [...grouped(options, ({ key }) => key).values()].flatMap(
        ([first]) => first ?? [],
      );
      return {
        base,
        summary: description === '' ? `${name}.` : `${name}: ${description}`,
        options: firsts,
      };
    });
}

/** A pattern for the base and a version behind it, unless what looks like one belongs to the name of another integration. */
function versioned(base: string, others: readonly string[]): string {
  const longer = others.filter(
    (other) => other.startsWith(base) && other !== base,
  );
  const unless =
    longer.length === 0 ? '' : `(?!(?:${longer.join('|')})(?![0-9A-Za-z]))`;
  return `${unless}${base}(_v\\d+)?(_\\d+){0,3}`;
}
