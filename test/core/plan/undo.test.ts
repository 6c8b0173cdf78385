import { describe, expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { judge } from '../../../src/core/plan/judge.ts';
import type { Outcome } from '../../../src/core/plan/outcome.ts';
import type { Planned } from '../../../src/core/plan/plan.ts';
import type {
  ChangeDocument,
  ServerDocument,
} from '../../../src/core/plan/plan-document.ts';
import { encoderFor } from '../../../src/core/plan/requests.ts';
import { planUndo } from '../../../src/core/plan/undo.ts';
import { documentOf } from '../../../src/core/report/document.ts';
import { changeOf, integrationOf, serverOf } from '../../support/documents.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { SERVER } from '../../support/planned.ts';

const CHOICES = ['fast', 'deep'].map((value) => ({
  value,
  display: `The ${value} one`,
}));

/** An integration with an option of every type, as an apply left it. */
function installed(own: Partial<LiveIntegration> = {}): LiveIntegration {
  const options = [
    liveOption('text', { value: readable('new') }),
    liveOption('number', { type: 'number', value: readable(2) }),
    liveOption('flag', { type: 'boolean', value: readable('true') }),
    liveOption('mode', {
      type: 'select',
      multiple: false,
      choices: CHOICES,
      value: readable({ value: 'deep', display: 'The deep one' }),
    }),
    liveOption('types', {
      type: 'select',
      multiple: true,
      choices: CHOICES,
      value: readable(CHOICES),
    }),
    liveOption('open', { type: 'select', value: readable('deep') }),
    liveOption('plain', { type: undefined, value: readable('new') }),
    liveOption('key', { type: 'password', value: MASKED }),
    liveOption('masked', { value: MASKED }),
  ];
  return liveIntegration('vt_node_1', options, own);
}

/** A change of a field of `vt` that an apply has written. */
function written(
  field: string,
  before: ChangeDocument['before'],
  after: ChangeDocument['after'],
  own: Partial<ChangeDocument> = {},
): ChangeDocument {
  const address = `vt.${field}`;
  const sides = { before, after, outcome: 'verified' as const };
  return changeOf('vt', 4, { address, ...sides, ...own });
}

/** The undo of changes of `vt`, which is as `live` is. */
function undoOf(
  changes: readonly ChangeDocument[],
  live: readonly LiveIntegration[] = [installed()],
  own: Partial<ServerDocument> = {},
): Planned {
  const report = serverOf('s', [integrationOf('vt', changes)], own);
  return planUndo({ server: SERVER, report, live, reads: 1 });
}

/** What an undo writes, by address, in the form of the wire. */
function writesOf({ plan }: Planned): Record<string, unknown> {
  const writes: Record<string, unknown> = {};
  for (const request of plan.integrations.flatMap(encoderFor([]))) {
    const { data } = request.body as { data: { attributes: object }[] };
    for (const [index, item] of [data].flat().entries()) {
      const subject = request.changes[index]?.comparison.subject;
      const address = subject === undefined ? '' : addressOf(subject);
      writes[address] = item.attributes;
    }
  }
  return writes;
}

/** What an undo leaves alone, by address, with the code of its finding. */
function keptIn({ diagnostics }: Planned): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const { code, facts } of diagnostics) {
    if (!('addresses' in facts)) continue;
    for (const address of facts.addresses) reasons[address] = code;
  }
  return reasons;
}

const LEFT = 'not-attempted';

/** How changes of `vt` are taken back: what is written, or why nothing is. */
function fateOf(
  field: string,
  before: ChangeDocument['before'],
  after: ChangeDocument['after'],
  own: Partial<ChangeDocument> = {},
): unknown {
  const change = written(field, before, after, own);
  const undo = undoOf([change]);
  const writes = writesOf(undo);
  const kept = keptIn(undo);
  expect(Object.keys({ ...writes, ...kept })).toEqual([change.address]);
  return writes[change.address] ?? kept[change.address];
}

describe('a field that holds what was written', () => {
  test('gets back what it held, in its own form', () => {
    const old = { value: 'old' };
    expect(fateOf('options.text.value', 'old', 'new')).toEqual(old);
    expect(fateOf('options.number.value', '01', 2)).toEqual({ value: 1 });
    const flags = { 'admin-only': false, 'user-can-edit': true };
    expect(
      fateOf('options.text.permission', 'user-provides', 'lock-and-hide'),
    ).toEqual(flags);
    const subscribed = { autosubscribe: true };
    expect(fateOf('autosubscribe', true, false)).toEqual(subscribed);
    // Its choices are filled in at run time.
    const unset = { value: { display: '', value: '' } };
    expect(fateOf('options.open.value', null, 'deep')).toEqual(unset);
    expect(fateOf('options.types.value', '', CHOICES)).toEqual({ value: [] });
  });
  test('is left if its type cannot be empty', () => {
    expect(fateOf('options.number.value', null, 2)).toBe(LEFT);
    expect(fateOf('options.flag.value', '', true)).toBe(LEFT);
    expect(fateOf('options.mode.value', null, 'deep')).toBe(LEFT);
  });
  test('is left if it cannot hold what was there', () => {
    expect(fateOf('options.mode.value', 'odd', 'deep')).toBe(LEFT);
    expect(fateOf('options.text.permission', 'invalid', 'lock-and-hide')).toBe(
      LEFT,
    );
    expect(fateOf('autosubscribe', 'yes', false)).toBe(LEFT);
  });
});

describe('what is not taken back', () => {
  test('is what moved, a secret, and what is or was hidden', () => {
    expect(fateOf('options.text.value', 'old', 'other')).toBe('stale');
    expect(fateOf('option.text', 1, 2)).toBe('stale');
    const secret = { secret: true } as const;
    expect(fateOf('options.key.value', null, null, secret)).toBe(LEFT);
    // Whatever the report calls it.
    expect(fateOf('options.key.value', 'old', 'new')).toBe('stale');
    const hidden = { hidden: true } as const;
    expect(fateOf('options.text.value', null, 'new', hidden)).toBe(LEFT);
    expect(fateOf('options.masked.value', 'old', 'new')).toBe(LEFT);
  });

  test('is what is as it was, of which nothing is said', () => {
    const undo = undoOf([written('options.text.value', 'new', 'newer')]);
    expect([undo.plan.summary.changes, keptIn(undo)]).toEqual([0, {}]);
  });

  test('is a change that was not written, unless it may be', () => {
    const [field, before, after] = ['options.text.value', 'old', 'new'];
    const unwritten = [
      'failed',
      'blocked',
      'stale',
      'not-attempted',
      undefined,
    ];
    for (const outcome of unwritten as Outcome[]) {
      const undo = undoOf([written(field, before, after, { outcome })]);
      expect(undo.plan.integrations).toEqual([]);
    }
    const old = { value: 'old' };
    const open = { outcome: 'failed', maybeWritten: true } as const;
    expect(fateOf(field, before, after, open)).toEqual(old);
    const taken = ['verified', 'sent', 'not-converged', 'unknown'] as const;
    for (const outcome of taken)
      expect(fateOf(field, before, after, { outcome })).toEqual(old);
  });

  test('is an integration that is installed no more, or under another id', () => {
    const change = written('options.text.value', 'old', 'new');
    const other = { ...installed(), id: 'vt_node_2' };
    const undo = undoOf([change], [other]);
    expect(keptIn(undo)).toEqual({ [change.address]: 'stale' });
    expect(undo.diagnostics[0]?.facts).toMatchObject({ integrations: ['vt'] });
    expect(undo.plan.summary.managed).toBe(0);
  });
});

test('fields are taken back in order, at the entry that the report names', () => {
  const of = (key: string) => written(`options.${key}.value`, 'old', 'new');
  const source = { file: 'a.yaml', line: 3, column: 1 };
  const vt = integrationOf('vt', [of('text'), of('plain')], { source });
  const report = serverOf('s', [vt]);
  const undo = planUndo({
    server: SERVER,
    report,
    live: [installed()],
    reads: 1,
  });
  const keys = ['plain', 'text'].map((key) => `vt.options.${key}.value`);
  expect(Object.keys(writesOf(undo))).toEqual(keys);
  expect(undo.plan.integrations[0]?.place).toEqual(source);
});

test('the guard counts what the report has and the server too, under --only', () => {
  const report = serverOf('s', [
    integrationOf('vt', [written('options.text.value', 'old', 'new')]),
    ...['a', 'b', 'c', 'gone'].map((name) => integrationOf(name, [])),
  ]);
  const others = ['a_node_1', 'b_node_1', 'c_node_1'];
  const live = [installed(), ...others.map((id) => liveIntegration(id))];
  const managedUnder = (only?: string): number => {
    const server = only === undefined ? SERVER : { ...SERVER, only };
    return planUndo({ server, report, live, reads: 1 }).plan.summary.managed;
  };
  expect(managedUnder()).toBe(4);
  expect(managedUnder('?')).toBe(3);
  expect(managedUnder('vt')).toBe(1);
});

describe('the report of an undo', () => {
  const restored = written('options.number.value', 1, 2);

  test('shows no value of an option of secrets that moved', () => {
    const change = written('options.key.value', 'canary-old', 'canary-new');
    const { plan, diagnostics } = undoOf([change]);
    const judged = judge(plan, new Map());
    const findings = [...diagnostics, ...judged.diagnostics];
    const servers = [judged.plan];
    const document = documentOf({ command: 'undo', servers, findings });
    expect(document.servers[0]?.integrations).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('canary');
  });

  test('says which changes may be written in spite of their outcome', () => {
    const { plan } = undoOf([restored]);
    const ends = [
      [{ kind: 'unclear', detail: '' }, true],
      [{ kind: 'refused', detail: '' }, undefined],
    ] as const;
    for (const [end, maybeWritten] of ends) {
      const integrations = plan.integrations.map((each) => ({ ...each, end }));
      const readings = integrations.map(({ id, changes }) => {
        const unmoved = changes.map((change) => {
          const now = change.comparison;
          return { change, now, standing: 'unmoved' as const, risks: [] };
        });
        return [id, unmoved] as const;
      });
      const judged = judge({ ...plan, integrations }, new Map(readings));
      const servers = [judged.plan];
      const document = documentOf({ command: 'apply', servers });
      const changes = document.servers[0]?.integrations[0]?.changes;
      expect(changes).toMatchObject([{ outcome: 'failed' }]);
      expect(changes?.map((change) => change.maybeWritten)).toEqual([
        maybeWritten,
      ]);
    }
  });
});
