import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import { fitsPlainly } from '../../../src/core/match/plain.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { checkFit } from '../../../src/core/plan/fit.ts';
import { entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

/** As a schema describes an option. */
const UNSEEN: LiveSide = { kind: 'hidden', reason: 'absent' };

const port = liveOption('port', { type: 'number', value: UNSEEN });

describe('what fits plainly', () => {
  const choices = ['fast', 'safe'].map((value) => ({ value, display: value }));
  const TYPES = {
    text: {},
    number: {},
    boolean: {},
    password: {},
    select: { choices },
    'multi-select': { type: 'select', choices, multiple: true },
    open: { type: 'select' },
    unheard: {},
  };
  const VALUES = [
    ...[
      'x',
      '',
      '5',
      'true',
      'fast',
      'slow',
      '${env:SETPOINT_X}',
      '${value:v}',
    ],
    ...['${env:SETPOINT_X:-y}', 'a ${env:SETPOINT_X}', '${file:keys/a.pem}'],
    ...[5, -1.5, true, false, null, [], ['fast'], ['fast', 'slow'], [5]],
    { value: 'fast', display: 'Fast' },
  ];

  test('has no finding, whatever the type of the option', () => {
    const plain: string[] = [];
    for (const [type, own] of Object.entries(TYPES)) {
      const integration = liveIntegration('vt_1', [
        liveOption('k', { type, value: UNSEEN, ...own }),
      ]);
      for (const value of VALUES) {
        const vt = { match: 'vt_*', options: { k: value } };
        const text = JSON.stringify({ version: 1, integrations: { vt } });
        const config = validConfig(text);
        const [entry] = config.entries;
        if (!entry || !fitsPlainly(entry, integration)) continue;
        plain.push(`${type} ${JSON.stringify(value)}`);
        const matched = matchEntries(resolveConfig(config), [integration]);
        expect([
          plain.at(-1),
          ...matched.diagnostics,
          ...checkFit(matched.integrations, [integration]),
        ]).toEqual([plain.at(-1)]);
      }
    }
    expect(plain.length).toBeGreaterThan(20);
    expect(plain).toContain('multi-select ["fast"]');
    expect(plain).not.toContain('password "x"');
    expect(plain).not.toContain('number "5"');
  });

  test('is no option that is absent, or marked as sensitive', () => {
    const integration = liveIntegration('vt_1', [port]);
    const isPlain = (options: string): boolean => {
      const yaml = `vt: { match: vt_*, options: { ${options} } }`;
      const [entry] = validConfig(entries(yaml)).entries;
      return entry !== undefined && fitsPlainly(entry, integration);
    };
    expect(isPlain('port: 5')).toBe(true);
    expect(isPlain('port: 5, prot: 5')).toBe(false);
    expect(isPlain('port: { value: 5, sensitive: true }')).toBe(false);
  });
});
