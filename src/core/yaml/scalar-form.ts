import { isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { refusedConstruct } from './problem.ts';
import { strayProblem } from './text.ts';

/**
 * Refuses a scalar that YAML would store as something else than what is written: `0123`, `1e5`, `1.10`, `True`, `~`,
 * `!!int 0123`, integers beyond 2^53, and half of a surrogate pair. Other text is taken as it is.
 */
export function scalarProblem(node: Scalar, place: Place): Diagnostic | undefined {
  const { value, source = '' } = node;
  if (typeof value === 'string') {
    const half = node.type === Scalar.QUOTE_DOUBLE ? /\p{Cs}/u.exec(value)?.[0] : undefined;
    return half === undefined ? undefined : refusedConstruct(strayProblem(half.charCodeAt(0)), place);
  }
  const isUnsafe = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if ((String(value) === source && !isUnsafe) || isNothing(node)) return undefined;
  const kind = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'null';
  return diagnostic('ambiguous-scalar', { kind }, place);
}

/** Whether nothing is written where a value is expected. */
export function isNothing(node: unknown): boolean {
  if (node === null || node === undefined) return true;
  return isScalar(node) && node.value === null && (node.source ?? '') === '' && node.tag === undefined;
}

/** Whether a node has an unknown tag, or one that does not fit its value; the parser has found that already. */
export function isTagUnknown(node: Node): boolean {
  const { tag } = node as { tag?: string };
  if (tag === undefined || tag === '!') return false;
  if (isScalar(node)) return typeof node.value === 'string' && tag !== `${YAML_TAGS}str`;
  return !(isMap(node) && tag === `${YAML_TAGS}map`) && !(isSeq(node) && tag === `${YAML_TAGS}seq`);
}

const YAML_TAGS = 'tag:yaml.org,2002:';
