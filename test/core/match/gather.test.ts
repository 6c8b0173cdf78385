import { expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import type { OptionSettings } from '../../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { brief, entries, validConfig } from '../../support/config.ts';
import { liveIntegration } from '../../support/live.ts';
import { contentOf } from '../../support/resolved.ts';

const TABLE = new Map([['env:SETPOINT_K', { text: hide('s3cret') }]]);

/** What these entries ask of the option `k` of the only integration. */
function asked(...lines: readonly string[]): OptionSettings | undefined {
  const config = validConfig(entries(lines.join('\n')));
  const live = [liveIntegration('vt_1')];
  const { integrations } = matchEntries(resolveConfig(config, TABLE), live);
  return integrations[0]?.settings.options.get('k');
}

const DEFAULTS =
  'all: { match: "*", expect: any, options: { k: { value: "${env:SETPOINT_K}", rotated: 2026-01-01 } } }';

test('a value and its day come from the entry that declares it, whatever another says of its option', () => {
  const k = asked(
    DEFAULTS,
    'vt: { match: vt_*, options: { k: { permission: lock-and-hide, rotated: 2025-01-01 } } }',
  );
  expect(contentOf(k?.value?.want)).toBe('s3cret');
  expect(k?.value?.rotated).toBe('2026-01-01');
  expect(k?.permission?.want).toBe('lock-and-hide');
  expect(k?.secrecy.isSecretByValue).toBe(true);
});

test('options are asked in the order of their keys; an error in a reference leaves the integration out', () => {
  const yaml =
    'vt: { match: vt_*, options: { z: 1, k: "${env:SETPOINT_K}", a: 2 } }';
  const found = (text: string, live: readonly LiveIntegration[]) => {
    const table = new Map([['env:SETPOINT_K', { text: hide(text) }]]);
    const config = resolveConfig(validConfig(entries(yaml)), table);
    const { integrations, diagnostics } = matchEntries(config, live);
    const keys = integrations.flatMap(({ settings }) => [
      ...settings.options.keys(),
    ]);
    return [keys, diagnostics.map(brief)];
  };
  const live = [liveIntegration('vt_1')];
  expect(found('s3cret', live)).toEqual([['a', 'k', 'z'], []]);
  expect(found('$(SETPOINT_K)', live)).toEqual([[], ['placeholder 3:42']]);
  expect(found('$(SETPOINT_K)', [])).toEqual([[], ['no-match 3:16']]);
});
