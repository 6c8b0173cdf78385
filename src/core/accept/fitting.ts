import type { Misedit } from '../findings/accept.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place, Span } from '../model/place.ts';
import { commentSpans, firstLost } from './comments.ts';
import { draftOf } from './draft.ts';
import type { Placed, Placement } from './placement.ts';
import type { Draft } from './reading.ts';
import { yamlSource } from './yaml-source.ts';

/** A comment that would be lost. */
interface Loss {
  readonly reason: 'comments';
  readonly comment: Place;
}

/** How often all files are read again to find the edits that do not fit; then what is left is refused together. */
const MOST_READINGS = 64;

/**
 * The edits that do what they are meant to. Each is looked at alone first, which reads no file again; where the rest does not
 * fit together, halves of it are tried until those that do not are found, as long as that does not take too many readings.
 */
export function fitting(
  placement: Placement,
  placed: readonly Placed[],
  problemOf: (some: readonly Placed[]) => Misedit | Loss | undefined,
): { readonly kept: readonly Placed[]; readonly refused: readonly Diagnostic[] } {
  const kept: Placed[] = [];
  const refused: Diagnostic[] = [];
  const refuse = (some: readonly Placed[], problem: Misedit | Loss) => {
    const fields = some.flatMap((each) => each.fields);
    const { reason, comment } =
      typeof problem === 'string' ? { reason: problem, comment: undefined } : problem;
    // Of several edits nobody knows which one loses it.
    const lost = some.length === 1 ? comment : undefined;
    refused.push(
      ...fields.map(({ address, place }) => diagnostic('accept-misfit', { address, reason }, lost ?? place)),
    );
  };
  let readings = 0;
  const settle = (some: readonly Placed[]): void => {
    if (some.length === 0) return;
    const problem = problemOf([...kept, ...some]);
    readings += 1;
    const half = Math.ceil(some.length / 2);
    if (problem === undefined) kept.push(...some);
    else if (some.length === 1 || readings >= MOST_READINGS) refuse(some, problem);
    else for (const part of [some.slice(0, half), some.slice(half)]) settle(part);
  };
  const comments = commentFinder(placement);
  const possible = placed.filter((each) => {
    const problem = ownProblem(placement, each, comments);
    if (problem !== undefined) refuse([each], problem);
    return problem === undefined;
  });
  settle(possible);
  return { kept, refused };
}

/** Why an edit cannot be made, as far as it shows without the others: it has no form, or takes a comment away. */
function ownProblem(
  placement: Placement,
  placed: Placed,
  commentsOf: (real: string) => readonly Span[],
): Misedit | Loss | undefined {
  const draft = draftOf(placement, [placed]);
  if (typeof draft === 'string') return draft;
  return firstLoss(draft.edits, (real, edits) => {
    const source = placement.source(real);
    const lost = commentsOf(real).find(([start, end]) =>
      edits.some(
        ({ from, to, text }) =>
          start >= from && end <= to && !text.includes(source.text.slice(start, end).trimEnd()),
      ),
    );
    return lost && source.placeOf(...lost);
  });
}

function firstLoss<Each>(
  files: ReadonlyMap<string, Each>,
  find: (real: string, each: Each) => Place | undefined,
): Loss | undefined {
  for (const [real, each] of files) {
    const comment = find(real, each);
    if (comment !== undefined) return { reason: 'comments', comment };
  }
  return undefined;
}

/** Finds the comments of files, of each once. */
function commentFinder(placement: Placement): (real: string) => readonly Span[] {
  const known = new Map<string, readonly Span[]>();
  return (real) => {
    const spans = known.get(real) ?? commentSpans(placement.source(real).text);
    known.set(real, spans);
    return spans;
  };
}

/** A comment of a file that is lost by a draft, or stands at something else then. */
export function lostComment(placement: Placement, { texts }: Draft): Loss | undefined {
  return firstLoss(texts, (real, text) => {
    const source = placement.source(real);
    const lost = firstLost(source, yamlSource({ path: real, text }));
    return lost && source.placeOf(...lost);
  });
}
