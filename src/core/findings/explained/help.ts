import { present } from '../../model/present.ts';
import { type DiagnosticCode, FINDINGS, isCode } from '../diagnostic.ts';
import type { Entry, Severity } from '../entry.ts';
import { exitCodeOf } from '../exit-code.ts';
import { TAKING_BACK } from './accept.ts';
import { REFUSALS } from './apply.ts';
import { CONNECTION, LOGIN } from './connection.ts';
import type { Example, Explanation } from './example.ts';
import { FILES } from './files.ts';
import { OUTCOMES } from './outcomes.ts';
import { REFERENCES } from './references.ts';
import { REVISIONS, WAIVERS } from './revisions.ts';
import { RULES } from './rules.ts';
import { SERVER } from './server.ts';
import { STRUCTURE } from './structure.ts';
import { USAGE } from './usage.ts';

/** Explanations by what they are about, in the order in which a person meets them. */
const GROUPS = {
  'Command line and files': USAGE,
  YAML: FILES,
  'Form of the configuration': STRUCTURE,
  References: REFERENCES,
  'Rules of good configuration': RULES,
  'Revisions in git': REVISIONS,
  'Known differences': WAIVERS,
  'Integrations and their options': SERVER,
  'Addresses and logins': LOGIN,
  'Connection and answers': CONNECTION,
  'Before an apply writes': REFUSALS,
  'What became of an apply': OUTCOMES,
  'Taking differences back': TAKING_BACK,
};

/** Does not compile while a code is not explained. */
const EXPLAINED: Readonly<Record<DiagnosticCode, Explanation>> = {
  ...USAGE,
  ...FILES,
  ...STRUCTURE,
  ...REFERENCES,
  ...RULES,
  ...REVISIONS,
  ...WAIVERS,
  ...SERVER,
  ...LOGIN,
  ...CONNECTION,
  ...REFUSALS,
  ...OUTCOMES,
  ...TAKING_BACK,
};

/** What is known of a code of a report: that of a finding, or of a kind of difference, which has no examples. */
export interface CodeHelp extends Partial<Omit<FindingHelp, 'code' | 'title' | 'group' | 'explanation'>> {
  readonly code: string;
  readonly title: string;
  readonly group: string;
  readonly explanation: string;
}

/** All that is known of a code, whatever the facts of a finding. */
export interface FindingHelp {
  readonly code: string;
  /** The code in words; without a full stop. */
  readonly title: string;
  /** What it is about, among other codes. */
  readonly group: string;
  readonly severity: Severity;
  /** The exit code of a run that it decides; absent where it decides none, or the signal does. */
  readonly exit?: number;
  readonly explanation: string;
  /** What to do; absent where that depends on the facts of a finding. */
  readonly hint?: string;
  readonly wrong: Example;
  readonly right: Example;
  /** Why no test runs the examples; absent where one does. */
  readonly unproven?: string;
}

/** What help there is for a code. */
export function findingHelp(code: DiagnosticCode): FindingHelp {
  const { title, severity: told, exit, hint }: Entry<never> = FINDINGS[code];
  const severity = typeof told === 'string' ? told : 'error';
  const [group = ''] = Object.entries(GROUPS).find(([, codes]) => Object.hasOwn(codes, code)) ?? [];
  return {
    code,
    title,
    group,
    severity,
    ...present({
      exit: severity === 'error' && code !== 'interrupted' ? exitCodeOf(exit) : undefined,
      hint: typeof hint === 'string' ? hint : undefined,
    }),
    ...EXPLAINED[code],
  };
}

/** The same of all codes, by groups. */
export function allFindingHelp(): readonly FindingHelp[] {
  return Object.values(GROUPS).flatMap((codes) => Object.keys(codes).filter(isCode).map(findingHelp));
}
