import { describe, expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration } from '../../support/live.ts';

const KEY = 'vt.options.apiKey';

/** The plan for an option that the server lists by its key, and shows nothing of. */
function planned(yaml: string, writes = 'none') {
  const live = [liveIntegration('vt', [], { optionKeys: new Set(['apiKey']) })];
  const { plan, diagnostics } = planServer({
    server: { name: 'test', url: 'http://127.0.0.1' },
    desired: desiredOf(validConfig(entries(yaml)), live),
    live,
    reads: 1,
    writeHidden: [writes],
  });
  const [integration] = plan.integrations;
  return { integration, codes: diagnostics.map(({ code }) => code) };
}

describe('an option that the server lists only by its key', () => {
  test('each managed field of it cannot be told, at its own place', () => {
    const { integration, codes } = planned(
      'vt: { options: { apiKey: { value: x, permission: lock-and-hide } } }',
    );
    expect(integration?.changes).toEqual([]);
    expect(integration?.hidden.map(({ address, unreadable }) => [address, unreadable])).toEqual([
      [`${KEY}.permission`, 'absent'],
      [`${KEY}.value`, 'absent'],
    ]);
    const columns = integration?.hidden.map(({ setting }) => setting.place.column) ?? [];
    expect(new Set(columns).size).toBe(2);
    expect(codes).toEqual(['hidden-field']);
  });

  test('what is not declared of it is not told', () => {
    expect(planned('vt: { options: { apiKey: x } }').integration?.hidden).toMatchObject([
      { address: `${KEY}.value` },
    ]);
  });

  test('both are written on request, the value as a secret', () => {
    const { integration, codes } = planned(
      'vt: { options: { apiKey: { value: 5, permission: lock-and-hide } } }',
      'all',
    );
    expect(integration?.hidden).toEqual([]);
    expect(integration?.changes).toMatchObject([
      { address: `${KEY}.permission`, before: null, after: 'lock-and-hide' },
      { address: `${KEY}.value`, unreadable: 'absent', before: null, after: hide(5) },
    ]);
    expect(codes).toEqual([]);
  });
});
