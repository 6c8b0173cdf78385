import type { Severity } from '../../findings/entry.ts';
import type { Document } from '../../plan/plan.ts';
import { jsonDocument } from '../escape.ts';
import { type Remark, remarksOf, remarkText } from './remarks.ts';

/** GitLab's words for how severe a remark is. */
const WEIGHTS = {
  error: 'critical',
  warning: 'major',
  note: 'info',
} as const satisfies Record<Severity, string>;

/** The place of remarks that have none: GitLab asks for a path. */
const NOWHERE = { file: 'setpoint.yaml', line: 1 };

/** The report of GitLab's Code Quality. */
export function renderGitlab(document: Document): string {
  return jsonDocument(remarksOf(document).map(issueOf));
}

/** An issue of Code Quality. */
function issueOf(remark: Remark): object {
  const { file, line } = remark.place ?? NOWHERE;
  return {
    description: `${remark.title}: ${remarkText(remark)}`,
    check_name: remark.code,
    fingerprint: remark.identity,
    severity: WEIGHTS[remark.level],
    location: { path: file.replace(/^\.\//, ''), lines: { begin: line } },
  };
}
