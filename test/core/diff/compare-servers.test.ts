import { describe, expect, test } from 'vitest';
import {
  compareServers,
  type ServerPair,
  type ServerState,
} from '../../../src/core/diff/compare-servers.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { documented as serverDocument } from '../../support/saved-plan.ts';

const LEFT_OUT: LiveSide = { kind: 'hidden', reason: 'snapshot' };
const UNSET: LiveSide = { kind: 'unset' };
const secret = (text: string): LiveSide => {
  return { kind: 'secret', value: hide(text) };
};

function server(
  name: string,
  live: readonly LiveIntegration[],
  own: Partial<ServerState> = {},
): ServerState {
  const url = `https://${name}.example`;
  return { name, url, live, unread: new Set(), reads: 1, ...own };
}

/** A comparison with its server as a document has it. */
function documented(servers: ServerPair) {
  const { plan, diagnostics } = compareServers(servers);
  return { server: serverDocument(plan), diagnostics };
}

function compared(
  before: readonly LiveIntegration[],
  after: readonly LiveIntegration[],
  only?: string,
) {
  return documented({
    before: server('staging', before),
    after: server('production', after),
    only,
  });
}

/** Compares an option of one integration, which is all that differs. */
function options(before: readonly LiveOption[], after: readonly LiveOption[]) {
  const { server: document } = compared(
    [liveIntegration('vt_node_1_1', before)],
    [liveIntegration('vt_node_2_2', after)],
  );
  const [integration] = document.integrations;
  const untold = integration?.left.map(({ address }) => address);
  return { ...integration, untold, equal: document.summary.equal };
}

const text = (value: LiveSide) => [liveOption('host', { value })];
const password = (value: LiveSide) => [
  liveOption('apiKey', { value, type: 'password' }),
];

describe('a value', () => {
  test('differs with both sides, and is told from an empty one', () => {
    const [a, b] = [text(readable('a')), text(readable('b'))];
    const about = { address: 'vt.options.host.value', type: 'text' };
    const change = { ...about, label: 'change', risks: [] };
    const sides = (before: string | null, after: string | null) => [
      { ...change, before, after },
    ];
    expect(options(a, b).changes).toEqual(sides('a', 'b'));
    expect(options(text(UNSET), b).changes).toEqual(sides(null, 'b'));
    expect(options(a, text(UNSET)).changes).toEqual(sides('a', null));
  });
  test.each([
    ['the first', text(MASKED), text(readable('b'))],
    ['the second', text(readable('a')), text(MASKED)],
  ])('that %s server does not show is not compared', (_, before, after) => {
    const result = options(before, after);
    expect(result).toMatchObject({
      changes: [],
      untold: ['vt.options.host.value'],
      equal: 2,
    });
  });
});

describe('a secret', () => {
  test('is different, and never shown', () => {
    const [one, two] = ['one', 'two'].map((value) => password(secret(value)));
    expect(options(one ?? [], two ?? []).changes).toEqual([
      {
        address: 'vt.options.apiKey.value',
        type: 'password',
        before: null,
        after: null,
        secret: true,
        label: 'change',
        risks: [],
      },
    ]);
  });
  test.each([
    ['masked', MASKED],
    ['left out by a snapshot', LEFT_OUT],
  ])('that is %s cannot be told', (_, side) => {
    const untold = ['vt.options.apiKey.value'];
    const nothing = { changes: [], sameSecrets: [], untold };
    for (const other of [secret('one'), UNSET, side]) {
      const [own, others] = [password(side), password(other)];
      expect(options(own, others)).toMatchObject(nothing);
      expect(options(others, own)).toMatchObject(nothing);
    }
  });
  test('of one server is one of the other too, whatever its type there', () => {
    const typed = (type: string, value: LiveSide) => [
      liveOption('login', { type, value }),
    ];
    const before = typed('text', readable('hunter2-in-clear'));
    const after = typed('password', secret('other'));
    const hidden = { before: null, after: null, secret: true };
    for (const result of [options(before, after), options(after, before)])
      expect(result.changes?.[0]).toMatchObject(hidden);
    const masked = typed('text', readable('********'));
    expect(options(masked, after).untold).toHaveLength(1);
  });
});

describe('an option', () => {
  test('that only one server has says so', () => {
    const one = [liveOption('a'), liveOption('b', { value: readable('5') })];
    const address = 'vt.options.b.value';
    const onlyOn = 'before';
    expect(options(one, [liveOption('a')]).changes).toMatchObject([
      { address, before: '5', after: null, onlyOn },
    ]);
    const hidden = [liveOption('a'), ...password(secret('one'))];
    expect(options([liveOption('a')], hidden).changes).toMatchObject([
      { after: null, secret: true, onlyOn: 'after' },
    ]);
  });
  test('that is not served is not absent', () => {
    const { changes, untold } = options([liveOption('a')], []);
    expect([changes, untold]).toEqual([
      [],
      ['vt.options.a.permission', 'vt.options.a.value'],
    ]);
  });
});

describe('an integration', () => {
  const a = liveIntegration('a_node_1_1');
  const b = liveIntegration('b_node_1_1');

  test('that could not be read is left out', () => {
    const states = {
      before: server('staging', [a], { unread: new Set([a.id]) }),
      after: server('production', [liveIntegration(a.id, text(readable('b')))]),
    };
    expect(documented(states).server.integrations).toMatchObject([
      { name: 'a', unplanned: true, changes: [] },
    ]);
  });
  test('is selected by its name or by either id, its counterpart with it', () => {
    const upgraded = liveIntegration('a_node_2_2');
    for (const only of ['a', 'a_node_1_*', 'a_node_2_2']) {
      const found = compared([a, b], [upgraded, b], only);
      expect(found).toMatchObject({
        server: { only, integrations: [{ name: 'a' }] },
        diagnostics: [],
      });
    }
    const { diagnostics } = compared([a], [a], 'c*');
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-name']);
  });
  test('is paired by its id, then by what an upgrade leaves of it, then by name', () => {
    const named = (id: string, name?: string) =>
      liveIntegration(id, [], { name });
    const before = [
      named('vt_node_1_1', 'East'),
      named('vt_node_1_2', 'West'),
      named('vt_node_1_3', 'North'),
      named('otx_3_1_0_node_18_1'),
    ];
    const after = [
      named('vt_node_1_1', 'North'),
      named('vt_node_1_4', 'West'),
      named('otx_3_2_0_node_20_2'),
    ];
    const { integrations } = compared(before, after).server;
    const pairs = integrations.map(({ name, counterpart }) => {
      return [name, counterpart];
    });
    expect(pairs).toEqual([
      ['otx', 'otx_3_1_0_node_18_1'],
      ['vt_node_1_1', 'vt_node_1_1'],
      ['vt_node_1_3', undefined],
      ['vt_node_1_4', 'vt_node_1_2'],
    ]);
  });
  test('with several of its base and no name of its own is reported', () => {
    const named = (id: string) => liveIntegration(id, [], { name: 'East' });
    const before = [named('a_node_1_1'), named('a_node_1_2')];
    const after = [named('a_node_1_3')];
    const { diagnostics } = compared(before, after);
    expect(diagnostics).toMatchObject([
      { code: 'several-matches', facts: { selector: 'a', total: 3 } },
    ]);
    expect(compared(before, after, 'b').diagnostics).toMatchObject([
      { code: 'unknown-name' },
    ]);
  });
});
