import { describe, expect, test } from 'vitest';
import type { ChangeDocument } from '../../../src/core/plan/plan.ts';
import { alikeServers } from '../../../src/core/report/groups.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from '../../support/documents.ts';

/** The names of the integrations that are shown together, if each has one change with the same facts. */
function together(own: Partial<ChangeDocument>): string[][] {
  const changed = (name: string) =>
    integrationOf(name, [changeOf(name, 3, own)]);
  const server = serverOf('s', [changed('alpha'), changed('beta')]);
  return alikeServers(documentWith([server])).flatMap(({ sections }) =>
    sections.flatMap(({ groups }) => groups.map(({ names }) => names)),
  );
}

describe('integrations are shown together', () => {
  const secret = { secret: true, before: null, after: null } as const;
  test.each<[string, Partial<ChangeDocument>, string[][]]>([
    ['with equal values', {}, [['alpha', 'beta']]],
    [
      'with secrets of one reference',
      { ...secret, reference: '${env:SETPOINT_KEY}' },
      [['alpha', 'beta']],
    ],
    // Nobody is told whether they are equal.
    ['not with secrets without a reference', secret, [['alpha'], ['beta']]],
  ])('%s', (_, own, expected) => {
    expect(together(own)).toEqual(expected);
  });
});
