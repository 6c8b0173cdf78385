import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  diagnostic,
  withPlaces,
} from '../../../src/core/findings/diagnostic.ts';
import { encodeOpen } from '../../../src/core/model/secret.ts';
import { secretSide } from '../../../src/core/model/side.ts';
import {
  type Change,
  NOTHING,
  type ServerPlan,
} from '../../../src/core/plan/plan.ts';
import { documentOf } from '../../../src/core/report/document.ts';
import {
  changeOfField,
  comparedSecret,
  subscribingChange,
  valueChange,
} from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { documented } from '../../support/saved-plan.ts';

const plain = valueChange('host');
const flag = subscribingChange();
const secret = (before: string | null, after: string): Change =>
  changeOfField(comparedSecret('key', after, secretSide(before ?? '')));

/** A plan of one integration for each list of changes. */
const planOf = (...changes: readonly (readonly Change[])[]): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: changes.map((each, index) => ({
    name: `vt_${index}`,
    id: `vt_${index}`,
    status: 'running',
    ...NOTHING,
    changes: each,
  })),
});

describe('the document of a plan', () => {
  test('has all of a change that is no secret', () => {
    const [first] = documented(planOf([plain, flag])).integrations;
    expect(
      first?.changes.map(({ address, before, after }) => [
        address,
        before,
        after,
      ]),
    ).toEqual([
      ['vt.options.host.value', 'old', 'new'],
      ['vt.autosubscribe', false, true],
    ]);
  });
  test('holds no byte of a secret, even where hidden values are opened', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^#\w{4,20}$/),
        fc.stringMatching(/^#\w{4,20}$/),
        (before, after) => {
          const document = encodeOpen(
            documented(planOf([secret(before, after)])),
          );
          expect(document).not.toContain(before);
          expect(document).not.toContain(after);
        },
      ),
    );
  });
});

test('refusals are those of the plan, not all that ends with their exit code', () => {
  const answer = diagnostic('not-confirmed', {});
  const size = { changed: 4, large: [], allowed: 3, command: 'apply' } as const;
  const refusal = diagnostic('many-changes', size);
  const document = documentOf({
    command: 'apply',
    servers: [planOf([plain]), { ...planOf([flag]), name: 't' }],
    findings: [answer, refusal],
    refusals: [refusal, { ...refusal, server: 't' }],
  });
  const codes = document.servers.map(({ refusals }) =>
    refusals.map(({ code }) => code),
  );
  expect(codes).toEqual([['many-changes'], ['many-changes', 'many-changes']]);
  expect(document.diagnostics).toHaveLength(2);
});

test('all places of a finding are named from the root of the repository', () => {
  const [first, second] = [3, 5].map((line) => ({
    ...{ file: 'a.yaml', line, column: 1 },
  }));
  if (first === undefined || second === undefined) throw new Error('no place');
  const found = diagnostic(
    'layers-overlap',
    { outer: 'a', inner: ['b'] },
    first,
  );
  const { diagnostics } = documentOf({
    command: 'plan',
    findings: [withPlaces(found, [first, second])],
    fromRoot: (file) => `sub/${file}`,
  });
  const file = 'sub/a.yaml';
  expect(diagnostics).toMatchObject([
    {
      ...first,
      file,
      places: [
        { ...first, file },
        { ...second, file },
      ],
    },
  ]);
});
