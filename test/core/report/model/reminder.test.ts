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

/** An undo of one change, which ended so; `asksAgain` is absent if nobody could read the YAML. */
function undoneAs(outcome: Outcome, asksAgain?: readonly string[]) {
  const change = changeOf('vt', 4, { outcome });
  const own = asksAgain === undefined ? {} : { asksAgain };
  const server = serverOf('s', [integrationOf('vt', [change])], own);
  const undone = { command: 'apply' } as const;
  return documentWith([server], { command: 'undo', undone });
}

const SHOWN = FORMATS.filter((format) => format !== 'json');

test.each(SHOWN)('an undo as %s ends with what the YAML asks for', (format) => {
  const plain = (text: string) => text.replace(/[`\\]|\s+/g, ' ');
  const ofUndo = (outcome: Outcome, asksAgain?: readonly string[]) =>
    plain(rendered(format, undoneAs(outcome, asksAgain)));
  const { address } = changeOf('vt', 4);
  const asking = ofUndo('verified', [address]);
  expect(asking).toMatch(/The +YAML +still asks for other values/);
  expect(asking).toContain('base/integrations.yaml');
  expect(ofUndo('verified')).toMatch(/If the +YAML +still asks for other/);
  for (const silent of [
    ofUndo('verified', []),
    ofUndo('verified', ['vt.options.other.value']),
    ofUndo('stale', [address]),
    ofUndo('stale'),
  ])
    expect(silent).not.toMatch(/YAML +still asks/);
});
