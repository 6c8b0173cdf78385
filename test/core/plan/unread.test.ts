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

const REFERENCES = [
  '${env:SETPOINT_KEY}',
  '${file:cert.pem}',
  '${env:SETPOINT_MODE}',
];

test('a plan without references compares the rest, and says once what it lacks', () => {
  const plan = planned();
  expect(plan.summary).toMatchObject({ changes: 1, left: { unread: 4 } });
  const [note, ...more] = unreadNote([plan, plan]);
  expect(more).toEqual([]);
  const warning = { severity: 'warning', code: 'reference-missing' };
  expect(note && explain(note)).toMatchObject(warning);
  expect(note?.facts).toMatchObject({ values: 8, references: REFERENCES });
});

describe('an apply lacks', () => {
  test('the references of what it compares: once, with all places', () => {
    const [lacking, ...more] = lackingReferences([planned()], true);
    expect(more).toEqual([]);
    expect(lacking?.server).toBe('s');
    expect(lacking?.places?.map(({ line }) => line)).toEqual([5, 8, 6, 7]);
    expect(lacking?.facts).toMatchObject({ needed: REFERENCES });
    const error = { severity: 'error', code: 'reference-missing' };
    expect(lacking && explain(lacking)).toMatchObject(error);
  });
  test('none of what a server hides and nobody asked to write', () => {
    const key = liveOption('apiKey', { type: 'password', value: MASKED });
    const masked = [liveIntegration('vt', [key])];
    const yaml = 'vt: { options: { apiKey: "${env:SETPOINT_KEY}" } }';
    const lackingWith = (own: Partial<PlanInput>) => {
      const { plan } = plannedFor(yaml, masked, own);
      return lackingReferences([plan], false).map(brief);
    };
    expect(lackingWith({})).toEqual([]);
    const asked = lackingWith({ writeHidden: ['all'] });
    expect(asked).toEqual(['reference-missing 3:28']);
  });
  test('none of what a waiver leaves alone, or of what has ended', () => {
    const waivers = [{ address: 'vt', until: '2026-12-31' }];
    expect(lackingReferences([planned({ waivers })], false)).toEqual([]);
    const plan = planned();
    const end = { kind: 'done' } as const;
    const integrations = plan.integrations.map((each) => ({ ...each, end }));
    expect(unreadNote([{ ...plan, integrations }])).toEqual([]);
  });
});
