import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { refusals } from '../../../src/core/plan/refusals.ts';
import { rendered } from '../../support/rendered.ts';
import { REPORT_PLANS } from '../../support/report-plans.ts';

const FOLDER = 'test/core/report/golden';

const FORMATS = ['text', 'json', 'markdown', 'github', 'gitlab', 'junit', 'sarif'] as const;

const cells = FORMATS.flatMap((format) => Object.keys(REPORT_PLANS).map((plan) => ({ format, plan })));

/** A text, or of a long one how it begins and ends, how long it is, and its digest. */
function told(text: string): string {
  if (text.length < 20_000) return text;
  const digest = createHash('sha256').update(text).digest('hex');
  const lines = text.split('\n');
  return [...lines.slice(0, 60), `(${text.length} characters, SHA-256 ${digest})`, ...lines.slice(-30)].join(
    '\n',
  );
}

// UPDATE_GOLDEN=1 writes them anew; the difference is then to be read.
test.each(cells)('$format of the plan $plan', ({ format, plan }) => {
  const path = `${FOLDER}/${plan}.${format}`;
  const servers = REPORT_PLANS[plan]?.() ?? [];
  const unknown = { key: 'limt', integration: 'virustotal', known: ['limit'] };
  const found = [
    ...refusals(servers, {}, 'plan'),
    ...(plan === 'empty'
      ? []
      : [diagnostic('unknown-option', unknown, { file: 'base/vt.yaml', line: 3, column: 5 })]),
  ];
  const fresh = told(
    rendered(format, { kind: 'plan', isComplete: true, servers }, found, [], { project: 'setpoint.yaml' }),
  );
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, fresh);
  } else expect(fresh).toBe(readFileSync(path, 'utf8'));
});
