import { Scalar } from 'yaml';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { Place } from '../model.ts';

/**
 * Refuses a plain scalar that YAML would store as something else than what is written: `0123`, `1e5`, `1.10`, `True`,
 * `~`, and integers beyond 2^53. Quoted text and an explicit tag say what is meant and are taken as they are.
 */
export function scalarProblem(node: Scalar, place: Place): Diagnostic | undefined {
  const source = node.source ?? '';
  if (node.type !== Scalar.PLAIN || node.tag !== undefined || typeof node.value === 'string' || source === '')
    return undefined;
  if (typeof node.value === 'number' && /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(node.value)) {
    return diagnostic('unsafe-integer', {}, place);
  }
  if (String(node.value) === source) return undefined;
  return diagnostic('ambiguous-scalar', { kind: kindOf(node.value) }, place);
}

function kindOf(value: unknown): 'number' | 'boolean' | 'null' {
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}
