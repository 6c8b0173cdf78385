import type { LiveIntegration, LiveOption } from '../../src/core/model/live.ts';
import { type LiveSide, shownSide } from '../../src/core/model/side.ts';
import type { OptionValue } from '../../src/core/model/value.ts';

/** A value that the server shows. */
export function readable(value: OptionValue): LiveSide {
  return shownSide(value);
}

/** A value that the server masks. */
export const MASKED: LiveSide = { kind: 'hidden', reason: 'masked' };

/** A text option that is locked and hidden and holds nothing; `changes` say what is different about it. */
export function liveOption(
  key: string,
  changes: Partial<LiveOption> = {},
): LiveOption {
  return {
    key,
    type: 'text',
    value: readable(''),
    permission: 'lock-and-hide',
    choices: [],
    ...changes,
  };
}

/** A running integration that nobody is subscribed to; `changes` say what is different about it. */
export function liveIntegration(
  id: string,
  options: readonly LiveOption[] = [],
  changes: Partial<LiveIntegration> = {},
): LiveIntegration {
  return {
    id,
    name: id,
    acronym: id.slice(0, 3).toUpperCase(),
    status: 'running',
    autosubscribe: false,
    errorCount: 0,
    optionKeys: new Set(options.map(({ key }) => key)),
    options: new Map(options.map((option) => [option.key, option])),
    ...changes,
  };
}
