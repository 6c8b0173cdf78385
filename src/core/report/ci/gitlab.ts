import { jsonDocument } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { remarksOf, remarkText } from './remarks.ts';

const SEVERITIES = { error: 'critical', warning: 'major', note: 'info' } as const;

/** The report of GitLab's Code Quality. */
export const renderGitlab: Renderer = (document) =>
  jsonDocument(
    remarksOf(document).map((remark) => {
      // GitLab asks for a path.
      const { file, line } = remark.place ?? { file: 'setpoint.yaml', line: 1 };
      return {
        description: `${remark.title}: ${remarkText(remark)}`,
        check_name: remark.code,
        fingerprint: remark.identity,
        severity: SEVERITIES[remark.level],
        location: { path: file.replace(/^\.\//, ''), lines: { begin: line } },
      };
    }),
  );
