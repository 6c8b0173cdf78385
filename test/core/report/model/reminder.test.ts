import { expect, test } from 'vitest';
import { FORMATS } from '../../../../src/core/report/formats.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../../support/documents.ts';
import { rendered } from '../../../support/rendered.ts';

type Outcome = 'verified' | 'stale';

/** An undo of what a command wrote, which ended so. */
function undoOf(command: 'apply' | 'undo', outcome: Outcome) {
  const change = changeOf('vt', 4, { outcome });
  const server = serverOf('s', [integrationOf('vt', [change])]);
  const undone = { command, createdAt: '2026-11-22T20:00:00Z' };
  return documentWith([server], { command: 'undo', undone });
}

const SHOWN = FORMATS.filter((format) => format !== 'json');

test.each(SHOWN)('an undo as %s ends with what the YAML asks for', (format) => {
  const plain = (text: string) => text.replace(/[`\\]|\s+/g, ' ');
  const ofApply = plain(rendered(format, undoOf('apply', 'verified')));
  expect(ofApply).toMatch(/YAML +still asks for the new values/);
  expect(ofApply).toContain('base/integrations.yaml');
  const ofUndo = plain(rendered(format, undoOf('undo', 'verified')));
  expect(ofUndo).not.toMatch(/still asks/);
  expect(ofUndo).toMatch(/If the +YAML +asks for other values/);
  const ofNothing = plain(rendered(format, undoOf('apply', 'stale')));
  expect(ofNothing).not.toMatch(/YAML +(still )?asks/);
});
