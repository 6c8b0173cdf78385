import type { WrittenValue } from './desired.ts';
import { reveal, type Secret } from './secret.ts';
import { isChoice, isChoiceList, type OptionValue, type Scalar } from './value.ts';

/** A value with its references open. */
interface Written {
  readonly value: WrittenValue | Secret<WrittenValue>;
  readonly isFromOutside: boolean;
  readonly files?: ReadonlyMap<string, string> | undefined;
}

/**
 * Whether two values ask for the same, before the types of their options are known: the same text, references as written, and
 * the same content of the files that they refer to.
 */
export function isSameWritten(one: Written, other: Written): boolean {
  return (
    one.isFromOutside === other.isFromOutside &&
    writtenText(reveal(one.value)) === writtenText(reveal(other.value)) &&
    !hasOtherFiles(one, other)
  );
}

/** True if both sides know a file and its content differs. */
function hasOtherFiles({ files: one }: Written, { files: other }: Written): boolean {
  return [...(one ?? [])].some(([path, digest]) => (other?.get(path) ?? digest) !== digest);
}

function writtenText(value: WrittenValue): string {
  if (!isChoiceList(value)) return memberText(value);
  return JSON.stringify([...new Set(value.map(memberText))].sort());
}

function memberText(member: Scalar | { readonly value: string }): string {
  return isChoice(member) ? member.value : String(member);
}

/** A value as an option could store it: members of a list are choices, their displays the same as their values. */
export function asOptionValue(value: WrittenValue): OptionValue {
  if (!isChoiceList(value)) return value;
  return value.map((each) => (isChoice(each) ? each : { display: String(each), value: String(each) }));
}
