import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { isSecretOption } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isEmpty } from '../model/value.ts';

/** Whether any password option of a server reads back as more than nothing: in clear, or as a mask. */
export function showsPasswords(live: readonly LiveIntegration[]): boolean {
  return live.some(({ options }) =>
    [...options.values()].some(
      ({ key, type, value }) =>
        isSecretOption(key, type) &&
        (isText(value) || (value.kind === 'unreadable' && value.reason === 'masked')),
    ),
  );
}

function isText(value: LiveValue): boolean {
  return value.kind === 'readable' && !isEmpty(reveal(value.value));
}

/**
 * What the absence of a value tells, on a server whose sources have all been read.
 *
 * An empty password: where at least one password of the server reads back as something, in clear or as a mask, the empty one
 * is empty. Where none does, the server may hide them all, or none is set yet: it cannot be told (`empty`), so it is written
 * only on request and never looks like a difference again. The next reading after a first password is set tells which.
 *
 * A value that is not served: an option that is no password was never set, which is as good as empty; a password cannot be
 * told.
 */
export function asTold(live: LiveIntegration, passwordsAreShown: boolean): LiveIntegration {
  const options = [...live.options].map(([key, option]): [string, LiveOption] => [
    key,
    toldOption(option, passwordsAreShown),
  ]);
  return { ...live, options: new Map(options) };
}

function toldOption(option: LiveOption, passwordsAreShown: boolean): LiveOption {
  const { key, type, value } = option;
  if (!isSecretOption(key, type))
    return value.kind === 'unreadable' && value.reason === 'absent'
      ? { ...option, value: { kind: 'empty' } }
      : option;
  const saysNothing = value.kind === 'readable' && !isText(value) && !passwordsAreShown;
  return saysNothing ? { ...option, value: { kind: 'unreadable', reason: 'empty' } } : option;
}
