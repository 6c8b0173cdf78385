import { jsonDocument } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { remarksOf, remarkText } from './remarks.ts';

const SEVERITIES = { error: 'critical', warning: 'major', note: 'info' } as const;

/** The report of GitLab's Code Quality. */
export const renderGitlab: Renderer = (document) =>
  jsonDocument(
    remarksOf(document).map((remark) => ({
      description: `${remark.title}: ${remarkText(remark)}`,
      check_name: remark.code,
      fingerprint: remark.identity,
      severity: SEVERITIES[remark.level],
      location: { path: remark.place.file.replace(/^\.\//, ''), lines: { begin: remark.place.line } },
    })),
  );
