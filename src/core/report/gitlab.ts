import type { Place } from '../model/place.ts';
import { jsonDocument } from './escape-sinks.ts';
import { headOf } from './from-root.ts';
import { type Remark, remarksOf, remarkText } from './remark.ts';
import type { Renderer } from './report.ts';

const SEVERITIES = { error: 'critical', warning: 'major', note: 'info' } as const;

/** The report of GitLab's Code Quality. */
export const renderGitlab: Renderer = (report, findings, view) => {
  const remarks = remarksOf(report, findings, view);
  const head = headOf(report, remarks, view);
  return jsonDocument(remarks.map((remark) => issueOf(remark, head)));
};

function issueOf(remark: Remark, head: Place) {
  const { level, code, title, identity } = remark;
  const { file, line } = remark.place ?? head;
  return {
    description: `${title}: ${remarkText(remark)}`,
    check_name: code,
    fingerprint: identity,
    severity: SEVERITIES[level],
    location: { path: file.replace(/^\.\//, ''), lines: { begin: line } },
  };
}
