import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecretOption } from '../model/secrecy.ts';

/** Hides the empty secrets of a server that shows every secret as empty. */
export function withHiddenSecrets(live: LiveIntegration): LiveIntegration {
  const isEmptySecret = ({ key, type, value }: LiveOption) =>
    value.kind === 'empty' && isSecretOption(key, type);
  if (![...live.options.values()].some(isEmptySecret)) return live;
  const options = [...live.options].map(([key, option]): [string, LiveOption] => [
    key,
    isEmptySecret(option) ? { ...option, value: { kind: 'unreadable', reason: 'empty' } } : option,
  ]);
  return { ...live, options: new Map(options) };
}
