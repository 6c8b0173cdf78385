import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, plan, render, validate } from '../../src/index.ts';
import { entries } from '../support/config.ts';
import { page } from '../support/wire.ts';

describe('data of another shape is refused by the name of its argument', () => {
  const { config } = parse([{ name: 'a.yaml', text: entries('one: {}') }]);
  if (config === undefined) throw new Error('it is right');
  const live = {
    integrations: [page([{ id: 'one', attributes: { name: 'One', status: 'running' }, options: [] }])],
  };
  const input = { config, server: { url: 'https://integrations.example.com' }, live };
  const found = { code: 'own', severity: 'error', message: 'Wrong.' };
  test.each<[string, (...given: never[]) => unknown, unknown[]]>([
    ['layers must be a list', parse, ['a.yaml']],
    ['layers[0].text must be a string', parse, [[{ name: 'a.yaml', text: Buffer.from('version: 1') }]]],
    ['layers[1][0].name must be a string', parse, [[[], [{ text: '' }]]]],
    ['config must be a configuration that parse made', validate, [undefined]],
    ['config must be a configuration that parse made', validate, [{ ...config }]],
    ['options must be an object', validate, [config, null]],
    ['options.catalog[0].name must be a string', validate, [config, { catalog: [{ definition: {} }] }]],
    ['input must be an object', plan, []],
    ['input.config must be a configuration that parse made', plan, [{ ...input, config: parse([]).config }]],
    ['input.server.url must be a string', plan, [{ ...input, server: { url: undefined } }]],
    ['input.live.integrations must be a list', plan, [{ ...input, live: {} }]],
    ['input.live.details must be an object', plan, [{ ...input, live: { ...live, details: null } }]],
    [
      'input.live.options["one"] must be a list',
      plan,
      [{ ...input, live: { ...live, options: { one: page([]) } } }],
    ],
    [
      'input.environment.variables["SETPOINT_K"] must be a string',
      plan,
      [{ ...input, environment: { variables: { SETPOINT_K: 12345 } } }],
    ],
    [
      `input.policy["plain-secret"] must be 'error' or 'warn'`,
      plan,
      [{ ...input, policy: { 'plain-secret': 1 } }],
    ],
  ])('%s', (message, called, given) => {
    expect(() => Reflect.apply(called, undefined, given)).toThrow(new TypeError(`${message}.`));
  });
  test('but what may be absent may be undefined', () => {
    const loose = plan({
      config,
      server: { ...input.server, name: undefined },
      live: { ...live, details: undefined, options: undefined },
      environment: { variables: { SETPOINT_A: undefined }, files: undefined, allowEnv: undefined },
      ...{ policy: undefined, only: undefined, writeSecrets: undefined, writeFlags: undefined },
    });
    expect(loose).toEqual(plan(input));
    const own = { code: 'own', severity: 'error', message: 'Wrong.' } as const;
    const shown = { width: undefined, full: undefined, requests: undefined, secrets: undefined };
    for (const format of ['json', 'text'] as const)
      expect(render({ plans: undefined, diagnostics: [own] }, format, shown)).toBe(
        render({ diagnostics: [own] }, format),
      );
    expect(validate(config, { catalog: undefined })).toEqual(validate(config));
  });
  test('and whatever a server answers is none of them', () => {
    const answer = fc.anything({ maxDepth: 4 });
    const bodies = fc.record({
      integrations: fc.array(
        fc.oneof(answer, fc.record({ data: fc.array(answer), meta: answer, links: answer })),
      ),
      details: fc.dictionary(fc.constant('one'), answer),
      options: fc.dictionary(fc.constant('one'), fc.array(answer)),
    });
    fc.assert(
      fc.property(bodies, fc.boolean(), (answers, isListed) => {
        const integrations = isListed ? live.integrations : answers.integrations;
        expect(plan({ ...input, live: { ...answers, integrations } }).diagnostics).toBeInstanceOf(Array);
      }),
    );
  });
  test('but a width that is too small is the smallest of a terminal', () => {
    const wordy = { ...found, severity: 'error', message: 'word '.repeat(20).trim() } as const;
    const shown = (width: number) => render({ diagnostics: [wordy] }, 'text', { width });
    expect([shown(0), shown(-1)]).toEqual([shown(40), shown(40)]);
    expect(shown(40).split('\n').length).toBeLessThan(6);
  });
});
