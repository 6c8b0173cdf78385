import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { referencesIn } from '../../../src/core/config/template.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import { compareIntegration } from '../../../src/core/plan/compare.ts';
import { integrationsIn } from '../../../src/core/schema/read-schema.ts';
import { tailoredSchema } from '../../../src/core/schema/tailored-schema.ts';
import {
  childOf,
  pairsOf,
  type YamlNode,
} from '../../../src/core/yaml/node.ts';
import { parseYaml } from '../../../src/core/yaml/parse.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { pulledInto } from '../../support/pull-input.ts';
import { seeds } from '../../support/soak.ts';

/** Parts of texts by which a server could mean more than text. */
const PARTS = [
  ...['${env:SETPOINT_TOKEN}', '${env:SETPOINT_X:-y}', '${file:setpoint.yaml}'],
  ...['${value:a}', '$${', '$', '{', '${', '}', '${env:', '\\${', '\\u0024{'],
  ...['\n', '\r', '\u2028', '\u0085', '\t', ': ', ' #', '- ', '? ', '|', '>'],
  ...["'", '"', '`', '*', '&a', '!!x', '<<', '[', ']', ',', '%', '@', '---'],
  ...['SETPOINT_Y=1', '=', '#', 'a', ' ', 'b1', '\\', '\u202e', '東'],
];

const hostile = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 6 })
  .map((parts) => parts.join(''));
const named = hostile.filter((text) => text !== '');

const choice = fc.record({ value: named, display: hostile });
const choices = fc.uniqueArray(choice, {
  selector: ({ value }) => value,
  minLength: 1,
  maxLength: 3,
});

const option = fc
  .record({
    key: named,
    title: hostile,
    description: hostile,
    type: fc.constantFrom('text', 'select', 'multi', 'password', undefined),
    value: hostile,
    choices,
    isListed: fc.boolean(),
  })
  .map(({ type, value, isListed, ...own }) => {
    const isList = type === 'multi';
    const isSelect = type === 'select' || isList;
    const select = isList ? own.choices : (own.choices[0] ?? '');
    const held: OptionValue = isSelect ? select : value;
    return liveOption(own.key, {
      ...own,
      type: isSelect ? 'select' : type,
      multiple: isSelect ? isList : undefined,
      choices: isSelect && isListed ? own.choices : [],
      value: readable(held),
    });
  });

const server = fc.uniqueArray(
  fc
    .record({
      id: named,
      name: hostile,
      acronym: hostile,
      description: hostile,
      options: fc.uniqueArray(option, {
        selector: ({ key }) => key,
        maxLength: 3,
      }),
    })
    .map(({ id, options, ...own }) => liveIntegration(id, options, own)),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);

/** All texts of a YAML file but keys. */
function textsIn(node: YamlNode | undefined): string[] {
  if (node?.kind === 'list') return node.items.flatMap(textsIn);
  const pairs = pairsOf(node);
  if (pairs.length > 0) return pairs.flatMap(({ value }) => textsIn(value));
  return node?.kind === 'scalar' ? [String(node.value)] : [];
}

/** Which references a pull of a server writes, and which it may. */
function pulled(live: readonly LiveIntegration[]) {
  const { files, variables: needed } = pulledInto(live, [[]], 'alone');
  const sources = files.map(({ name, text }) => ({ path: name, text }));
  return { sources, needed };
}

test('whatever texts a server has, a pull writes them as texts', () => {
  const wish = { numRuns: seeds(300, 20_000) };
  fc.assert(
    fc.property(server, (live) => {
      const { sources, needed } = pulled(live);
      const { value, diagnostics } = parseConfig([sources]);
      expect([sources, diagnostics]).toEqual([sources, []]);
      const config = resolveConfig(value ?? { values: new Map(), entries: [] });
      const names = new Set(needed.map(({ variable }) => variable));
      for (const source of sources) {
        const parsed = parseYaml(source);
        for (const text of textsIn(childOf(parsed.value, 'integrations')))
          for (const { kind, name, source: whole } of referencesIn(text))
            expect([kind, names.has(name), whole]).toEqual(['env', true, text]);
      }
      const { integrations } = matchEntries(config, live);
      for (const desired of integrations) {
        const held = live.find(({ id }) => id === desired.id);
        if (held === undefined) continue;
        const { comparisons } = compareIntegration(desired, held);
        for (const { state, isSecret: isHeldSecret } of comparisons)
          expect([
            'same',
            ...(isHeldSecret ? ['unread', 'differs'] : []),
          ]).toContain(state);
      }
    }),
    wish,
  );
});

test('what a pulled schema offers to editors are no references, and choices are read back', () => {
  fc.assert(
    fc.property(server, (live) => {
      const schema = JSON.parse(JSON.stringify(tailoredSchema(live)));
      for (const text of offeredIn(schema.definitions))
        expect(referencesIn(text)).toEqual([]);
      const held = live.flatMap(({ options }) => [...options.values()]);
      const values = held.flatMap(({ choices: all }) => all.map(valueIn));
      const read = integrationsIn(schema).flatMap(({ options }) =>
        [...options.values()].flatMap(({ choices: all }) => all.map(valueIn)),
      );
      for (const value of read) expect(values).toContain(value);
      // A later pull adds to it, and leaves it if nothing is new.
      const again = tailoredSchema([...integrationsIn(schema), ...live]);
      expect(JSON.parse(JSON.stringify(again))).toEqual(schema);
    }),
    { numRuns: seeds(200, 10_000) },
  );
});

const valueIn = ({ value }: { readonly value: string }) => value;

/** The texts that an editor writes into YAML. */
function offeredIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, own]) =>
    key === 'const' || key === 'default'
      ? [own].flat().filter((each) => typeof each === 'string')
      : offeredIn(own),
  );
}
