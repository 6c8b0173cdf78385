import { expect, test } from 'vitest';
import { withHiddenSecrets } from '../../../src/core/live/hidden-secrets.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

test('an empty secret is hidden, an empty text is not', () => {
  const empty = { value: { kind: 'empty' } } as const;
  const live = liveIntegration('vt', [
    liveOption('key', { type: 'password', ...empty }),
    liveOption('url', { type: 'text', ...empty }),
  ]);
  const { options } = withHiddenSecrets(live);
  expect(options.get('key')?.value).toEqual({ kind: 'unreadable', reason: 'empty' });
  expect(options.get('url')?.value).toEqual({ kind: 'empty' });
});
