import { describe, expect, test } from 'vitest';
import { explain } from '../../../src/core/findings/explain.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';
import type { PlanInput } from '../../../src/core/plan/plan-server.ts';
import {
  lackingReferences,
  unreadNote,
} from '../../../src/core/plan/unread.ts';
import { brief } from '../../support/config.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { plannedFor } from '../../support/planned.ts';

const YAML = `vt:
  options:
    apiKey: \${env:SETPOINT_KEY}
    mode: \${env:SETPOINT_MODE}
    note: x\${env:SETPOINT_MODE}
    cert: \${file:cert.pem}
    plain: 5
`;

/** A server on which all options are set, and differ from the YAML if they can be compared. */
const LIVE = [
  liveIntegration('vt', [
    liveOption('apiKey', { type: 'password', value: readable('old') }),
    liveOption('mode', { value: readable('fast') }),
    liveOption('note', { value: readable('y') }),
    liveOption('cert', { value: readable('PEM') }),
    liveOption('plain', { value: readable('4') }),
  ]),
];

function planned(own: Partial<PlanInput> = {}, live = LIVE): ServerPlan {
  return plannedFor(YAML, live, own).plan;
}

describe('a plan without references', () => {
  test('compares the rest, and says once what it lacks', () => {
    const plan = planned();
    expect(plan.summary).toMatchObject({ changes: 1, unread: 4 });
    const [note, ...more] = unreadNote([plan, plan]);
    expect(more).toEqual([]);
    expect(note && explain(note)).toMatchObject({
      severity: 'warning',
      code: 'reference-missing',
    });
    expect(note?.facts).toMatchObject({
      values: 8,
      references: [
        '${env:SETPOINT_KEY}',
        '${file:cert.pem}',
        '${env:SETPOINT_MODE}',
      ],
    });
  });
  test('says nothing if all is known', () => {
    expect(
      unreadNote([plannedFor('vt: { options: { plain: 5 } }', LIVE).plan]),
    ).toEqual([]);
  });
  test('plans what was not set, whatever the reference holds', () => {
    const empty = [
      liveIntegration('vt', [
        liveOption('apiKey', { type: 'password', value: { kind: 'unset' } }),
      ]),
    ];
    const yaml = 'vt: { options: { apiKey: "${env:SETPOINT_KEY}" } }';
    const { plan } = plannedFor(yaml, empty);
    expect(plan.summary).toMatchObject({ changes: 1, unread: 0 });
  });
});

describe('an apply lacks', () => {
  test('each reference of what it compares, with all places', () => {
    const lacking = lackingReferences([planned()], false);
    expect(lacking.map(brief)).toEqual([
      'reference-missing 5:15',
      'reference-missing 8:13',
      'reference-missing 6:13',
    ]);
    const [, , mode] = lacking;
    expect(mode?.places).toHaveLength(2);
    expect(mode?.facts).toMatchObject({
      addresses: ['vt.options.mode.value', 'vt.options.note.value'],
    });
    expect(lacking.map((finding) => explain(finding).severity)).toEqual([
      'error',
      'error',
      'error',
    ]);
  });
  test('none of what a server hides and nobody asked to write', () => {
    const masked = [
      liveIntegration('vt', [
        liveOption('apiKey', { type: 'password', value: MASKED }),
      ]),
    ];
    const yaml = 'vt: { options: { apiKey: "${env:SETPOINT_KEY}" } }';
    const lackingWith = (own: Partial<PlanInput>) =>
      lackingReferences([plannedFor(yaml, masked, own).plan], false);
    expect(lackingWith({})).toEqual([]);
    expect(lackingWith({ writeHidden: ['all'] }).map(brief)).toEqual([
      'reference-missing 3:28',
    ]);
  });
  test('none of what a waiver leaves alone', () => {
    const waivers = [{ address: 'vt', until: '2026-12-31' }];
    expect(lackingReferences([planned({ waivers })], false)).toEqual([]);
  });
  test('the references of each server by its name', () => {
    const servers = lackingReferences(
      [planned(), { ...planned(), name: 'other' }],
      true,
    ).map(({ server }) => server);
    expect(new Set(servers)).toEqual(new Set(['s', 'other']));
  });
});
