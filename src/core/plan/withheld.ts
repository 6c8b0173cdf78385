import type { DesiredValue, WrittenValue } from '../model/desired.ts';
import { neededBy } from '../model/recipe.ts';
import { isChoice, type OptionValue } from '../model/value.ts';
import type { ValueChange } from './plan.ts';

/** Turns an address and a value into a keyed digest. */
export type Fingerprint = (address: string, value: OptionValue) => string;

/** What stands in a plan for a value that is kept out of it. */
export function withheldSide(
  address: string,
  { recipe, value }: DesiredValue,
  after: OptionValue,
  fingerprint: Fingerprint,
): Pick<ValueChange, 'recipe' | 'fingerprint' | 'displayFingerprint'> {
  const displayFingerprint = fingerprintOfDisplays(address, value, fingerprint);
  return {
    // What needs nothing from outside stands in clear in the YAML.
    ...(recipe === undefined || neededBy(recipe).length === 0 ? {} : { recipe }),
    fingerprint: fingerprint(address, after),
    ...(displayFingerprint === undefined ? {} : { displayFingerprint }),
  };
}

/** A digest of the displays that are written beside the values of a select; undefined where none is. */
export function fingerprintOfDisplays(
  address: string,
  written: WrittenValue,
  fingerprint: Fingerprint,
): string | undefined {
  const displays = [written].flat().map((member) => (isChoice(member) ? member.display : null));
  const isAny = displays.some((display) => display !== null);
  return isAny ? fingerprint(`${address}#display`, JSON.stringify(displays)) : undefined;
}
