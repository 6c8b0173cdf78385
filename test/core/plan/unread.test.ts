import { describe, expect, test } from 'vitest';
import { explain } from '../../../src/core/findings/explain.ts';
import { lackingReferences, unreadNote } from '../../../src/core/plan/notes.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';
import type { PlanInput } from '../../../src/core/plan/plan-server.ts';
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
    expect(plan.summary).toMatchObject({ changes: 1, left: { unread: 4 } });
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
});

describe('an apply lacks', () => {
  test('the references of what it compares: once, with all places', () => {
    const [lacking, ...more] = lackingReferences([planned()], false);
    expect(more).toEqual([]);
    expect(lacking?.places?.map(({ line }) => line)).toEqual([5, 8, 6, 7]);
    expect(lacking?.facts).toMatchObject({
      needed: [
        '${env:SETPOINT_KEY}',
        '${file:cert.pem}',
        '${env:SETPOINT_MODE}',
      ],
    });
    expect(lacking && explain(lacking)).toMatchObject({
      severity: 'error',
      code: 'reference-missing',
    });
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
});
