import { describe, expect, test } from 'vitest';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../../../../src/core/findings/diagnostic.ts';
import { renderedFindings } from '../../../support/rendered.ts';

const place = { file: 'a.yaml', line: 2, column: 3 };
/** The finding for an option of an integration that holds a mask. */
const masked = (
  integration: string,
  option = 'k',
  at: typeof place | undefined = place,
) => {
  const address = `${integration}.options.${option}.value`;
  return diagnostic('wrong-value', { address, integration }, at);
};

/** The finding for an option that an integration does not have. */
const unknown = (integration: string, at: typeof place, ...known: string[]) => {
  const facts = { key: 'x', integration, known, total: known.length };
  return diagnostic('unknown-option', facts, at);
};

/** Each shown finding: its start, and where else the same is. */
function shown(...found: readonly Diagnostic[]): string[] {
  const text = renderedFindings(found, { sources: new Map() });
  const [first = '', ...blocks] = text.split(/\n\n/);
  return [
    first,
    ...blocks.filter((block) => !/^\d+ (error|warning)/.test(block)),
  ];
}

describe('one mistake in several integrations', () => {
  test('is one whatever these have instead', () => {
    const alsoInB = [expect.stringContaining('Also in b.')];
    const known = shown(
      unknown('a', place, 'k'),
      unknown('b', place, 'l', 'm'),
    );
    expect(known).toEqual(alsoInB);
    const below = { ...place, line: 3 };
    expect(shown(unknown('a', place), unknown('b', below))).toEqual(alsoInB);
  });
  test('is one finding if a variable is missing in many places', () => {
    const needed = ['${env:SETPOINT_KEY}'];
    const missing = [2, 5].map((line) =>
      diagnostic('reference-missing', { needed }, { ...place, line }),
    );
    const also = expect.stringContaining('Also at a.yaml:5:3.');
    expect(shown(...missing)).toEqual([also]);
  });
  test('is one if each server hides other secrets', () => {
    const empty = (server: string, ...integrations: readonly string[]) => {
      const addresses = integrations.map((name) => `${name}.options.k.value`);
      const facts = { addresses, integrations, isSent: true };
      return { ...diagnostic('hides-secrets', facts), server };
    };
    const [text, ...others] = shown(empty('z', 'vt'), empty('a', 'vt', 'us'));
    expect(others).toEqual([]);
    expect(text).toContain('[z, a]');
    expect(text).toContain('Also in us.');
  });
  test('is shown with the YAML to write by hand, which is never wrapped', () => {
    const yaml = [`vt: { options: { k: { value: ${'long '.repeat(30)}} } }`];
    const about = { addresses: ['vt.options.k.value'], integrations: ['vt'] };
    const facts = { ...about, reason: 'alias', yaml } as const;
    const finding = diagnostic('not-accepted', facts, place);
    const view = { sources: new Map(), width: 60 };
    const lines = renderedFindings([finding], view).split('\n');
    expect(lines).toContain(`      ${yaml[0]}`);
    // Two lines to edit are two findings.
    const other = diagnostic('not-accepted', { ...facts, yaml: ['x'] }, place);
    expect(shown(finding, other)).toHaveLength(2);
  });
  test('is not found where the key, the place or the code is another', () => {
    expect(shown(masked('a'), masked('b', 'l'))).toHaveLength(2);
    const below = masked('b', 'k', { ...place, line: 3 });
    expect(shown(masked('a'), below)).toHaveLength(2);
    const address = 'b.options.k.value';
    const facts = { address, integration: 'b', isCertain: true };
    const written = diagnostic('plain-secret', facts, place);
    expect(shown(masked('a'), written)).toHaveLength(2);
  });
});

describe('a finding with several causes', () => {
  const places = [2, 4, 5].map((line) => ({ ...place, line }));
  const facts = { integrations: ['a', 'b'], taken: [], detail: 'no' };
  const failed = (at?: typeof place) => diagnostic('apply-failed', facts, at);
  test('is shown at the first, with the others', () => {
    const words = /--> a\.yaml:2:3\n.*Also at a\.yaml:4:3, a\.yaml:5:3\./s;
    const all = shown(withPlaces(failed(place), places));
    expect(all).toEqual([expect.stringMatching(words)]);
  });
  test('has each place once', () => {
    const [first] = places;
    if (first === undefined) throw new Error('no place');
    expect(withPlaces(failed(first), [first, first]).places).toEqual([first]);
    expect(withPlaces(failed(), []).places).toBeUndefined();
    expect(withPlaces(failed(), [first]).places).toEqual([first]);
  });
});
