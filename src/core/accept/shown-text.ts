import { parseFile } from '../config/config.ts';
import type { DesiredValue } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveOption } from '../model/live.ts';
import type { Place, Span } from '../model/place.ts';
import { isSecret, mayBeSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import { commentSpans } from './comments.ts';
import type { Placement } from './placement.ts';
import type { ReadServer } from './reading.ts';
import type { ShownText } from './unified-diff.ts';
import { spanOf } from './yaml-source.ts';

/** A text and what of it must not be seen; the values at some places are known to be no secrets. */
export function shownText(
  placement: Placement,
  path: string,
  text: string,
  places: readonly Place[],
): ShownText {
  if (text === '') return { text, hidden: [] };
  const inFile = places.filter(({ file }) => file === path);
  const shown = inFile.map((place) => spanOf(placement.located(place)?.value));
  const isShown = ([from, to]: Span) => shown.some(([start, end]) => from >= start && to <= end);
  const values = parseFile({ path, text }).hidden?.() ?? [[0, text.length] as const];
  const comments = commentSpans(text)
    .map(([from, to]): Span => [from + (/^#\s*/.exec(text.slice(from, to))?.[0].length ?? 0), to])
    .filter(([from, to]) => hasSecret(text.slice(from, to)));
  return { text, hidden: [...values.filter((span) => !isShown(span)), ...comments] };
}

/** The places of values that are no secrets, by the types that the servers have for their options. */
export function plainPlaces(servers: readonly ReadServer[]): Place[] {
  const found = servers.flatMap(({ server: { planned }, reading }) => {
    const live = new Map(planned?.live.map(({ id, options }) => [id, options]));
    return reading.desired.flatMap(({ id, options }) =>
      options.flatMap(({ key, value, sensitive }) => {
        if (value === undefined) return [];
        const option = live.get(id)?.get(key);
        return [{ place: value.place, isPlain: isPlain(option, value, sensitive) }];
      }),
    );
  });
  const all = [
    ...grouped(found, ({ place: { file, line, column } }) => `${file}:${line}:${column}`).values(),
  ];
  return all
    .filter((group) => group.every((each) => each.isPlain))
    .flatMap((group) => group.slice(0, 1).map(({ place }) => place));
}

function isPlain(
  option: LiveOption | undefined,
  { value, isFromOutside }: DesiredValue,
  mark: boolean | undefined,
): boolean {
  if (option === undefined || isHidden(value)) return false;
  const { key, type } = option;
  return !isSecret({ key, type, mark, isFromOutside, values: [value] }) && !isSecret({ key, mark });
}

/** Whether a comment holds what may be a secret: in the form of one, or with words beside it that say so. */
function hasSecret(comment: string): boolean {
  const words = comment.split(/[\s"'`,;()=]+/);
  if (hasSecretForm(comment) || words.some(hasSecretForm)) return true;
  const isTelling = SECRET_WORD.test(comment) || words.some((word) => MIXED.test(word));
  return isTelling && mayBeSecret('', comment);
}

const SECRET_WORD = /pass|pwd|secret|token|key|cred|auth|login|\bpin\b/i;

/** A word of letters and digits, as few words of a language are. */
const MIXED = /^(?=.*[a-z])(?=.*\d).{6,}$/i;
