import { secretsIn } from '../../core/live/secrets.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Run } from '../run.ts';

/** Remembers the secrets that a server shows and those that are to be written, so that no message repeats them. */
export function rememberSecrets(
  run: Run,
  live: readonly LiveIntegration[],
  desired: DesiredState,
): readonly string[] {
  const found = secretsIn(live, desired);
  run.secrets.seen(found);
  return found;
}
