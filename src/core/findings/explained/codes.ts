import type { DiagnosticCode } from '../diagnostic.ts';
import type { Explanation } from './example.ts';

/** The explanations of some codes; a word that is no code does not compile. */
export type Codes = Partial<Record<DiagnosticCode, Explanation>>;
