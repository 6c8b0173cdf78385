import { textsOf } from '../model/value.ts';
import type { SecretKeeping } from './diff.ts';

/** What decides how a plan treats secrets. */
interface Keeping extends Pick<SecretKeeping, 'writesHidden'> {
  /** The secrets that the run has seen. */
  readonly known: ReadonlySet<string>;
  /** What takes them out of texts, and out of names. */
  readonly scrubber: Readonly<Record<'clean' | 'name', (text: string) => string>>;
}

/** How a plan treats secrets. */
export function keepingOf({ known, scrubber, writesHidden }: Keeping): SecretKeeping {
  const seen = new Map<string, boolean>();
  const isKnown = (text: string) => {
    // What is too short to be found, or no secret by itself, makes no secret of what equals it.
    const isWhole = () => known.has(text) && scrubber.clean(text) !== text;
    const found = seen.get(text) ?? (isWhole() || scrubber.name(text) !== text);
    seen.set(text, found);
    return found;
  };
  return { isKnown: (value) => textsOf(value).some(isKnown), writesHidden };
}
