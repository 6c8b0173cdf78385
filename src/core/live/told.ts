import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { isSecretOption } from '../model/secrecy.ts';

/** Whether any password option of a server reads back as more than nothing: in clear, or as a mask. */
export function showsPasswords(live: readonly LiveIntegration[]): boolean {
  for (const { options } of live)
    for (const { key, type, value } of options.values())
      if (isSecretOption(key, type) && isSet(value)) return true;
  return false;
}

/** A password that is empty is decoded as such. */
function isSet(value: LiveValue): boolean {
  return value.kind === 'readable' || (value.kind === 'unreadable' && value.reason === 'masked');
}

/**
 * What the absence of a value tells, on a server whose sources have all been read.
 *
 * An empty password: where at least one password of the server reads back as something, in clear or as a mask, it is empty.
 * Where none does, the server may hide them all, or none is set yet; nothing that it shows tells which (`empty`). Then it is
 * compared as empty only while more managed fields of the server differ than are as desired, not where all else of its
 * integration is, and not where the base of the plan declares it already: so a fresh server gets its passwords with its first
 * apply. After that it cannot be told: it is written on request alone, never planned again, and an apply that has sent it says
 * that the server shows none.
 *
 * A value that is not served: an option that is no password was never set, which is as good as empty; a password cannot be
 * told.
 */
export function asTold(live: LiveIntegration, passwordsAreShown: boolean): LiveIntegration {
  const told = [...live.options].map(([key, option]): [string, LiveOption] => [
    key,
    toldOption(option, passwordsAreShown),
  ]);
  const isSame = told.every(([key, option]) => live.options.get(key) === option);
  return isSame ? live : { ...live, options: new Map(told) };
}

function toldOption(option: LiveOption, passwordsAreShown: boolean): LiveOption {
  const { key, type, value } = option;
  if (!isSecretOption(key, type))
    return value.kind === 'unreadable' && value.reason === 'absent'
      ? { ...option, value: { kind: 'empty' } }
      : option;
  const saysNothing = value.kind === 'empty' && !passwordsAreShown;
  return saysNothing ? { ...option, value: { kind: 'unreadable', reason: 'empty' } } : option;
}
