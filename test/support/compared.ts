import type { referenceTable } from '../../src/core/config/resolve.ts';
import type { LiveIntegration, LiveOption } from '../../src/core/model/live.ts';
import { hide } from '../../src/core/model/secret.ts';
import {
  type Compared,
  compareIntegration,
} from '../../src/core/plan/compare.ts';
import { desiredOf, entries, validConfig } from './config.ts';
import { liveIntegration } from './live.ts';

/** The reference that the environment of `environment` holds. */
export const REFERENCE = '${env:SETPOINT_KEY}';

/** An environment in which a variable holds a text. */
export function environment(text: string): ReturnType<typeof referenceTable> {
  return new Map([['env:SETPOINT_KEY', { text: hide(text) }]]);
}

/** All that the YAML of the entry `vt` asks, compared with an integration. */
export function compared(
  yaml: string,
  live: LiveIntegration,
  table = environment('n3wkey-of-vt'),
): Compared {
  const config = validConfig(entries(`vt: ${yaml}`));
  const [desired] = desiredOf(config, [live], table);
  if (desired === undefined) throw new Error('not desired');
  return compareIntegration(desired, live);
}

/** The same of an integration with one option. */
export function comparedOption(
  written: string,
  option: LiveOption,
  table?: ReturnType<typeof referenceTable>,
): Compared {
  const yaml = `{ options: { ${option.key}: ${written} } }`;
  return compared(yaml, liveIntegration('vt', [option]), table);
}
