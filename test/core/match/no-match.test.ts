import { describe, expect, test } from 'vitest';
import { entries, matchedWith, validConfig } from '../../support/config.ts';
import { liveIntegration } from '../../support/live.ts';

/** The finding for an entry whose name is the base of these ids. */
function unmet(...ids: readonly string[]) {
  const config = validConfig(entries('vault: { autosubscribe: true }'));
  const { diagnostics } = matchedWith(
    config,
    ids.map((id) => liveIntegration(id)),
  );
  return diagnostics;
}

describe('an entry that forgot the end of its id', () => {
  test('is told the glob that means the one integration', () => {
    expect(unmet('vault_node_18_1709391444')).toMatchObject([
      { code: 'no-match', facts: { glob: 'vault_*' } },
    ]);
  });
  test('is told no glob that means several, but a match for each', () => {
    const [finding] = unmet('vault_node_18_1709391444', 'vault_node_18_1709391555');
    expect(finding).toMatchObject({ code: 'no-match', facts: { total: 2 } });
    expect(finding).not.toHaveProperty('facts.glob');
    const candidates = finding?.code === 'no-match' ? finding.facts.candidates : [];
    expect(candidates.every((each) => each.includes('(match: '))).toBe(true);
  });
});
