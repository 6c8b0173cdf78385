import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic, onServer } from '../../../src/core/findings/diagnostic.ts';
import { groupFindings } from '../../../src/core/report/text/diagnostics.ts';

const place = { file: 'a.yaml', line: 2, column: 3 };
const masked = (address: string, at: typeof place | undefined = place) =>
  diagnostic('wrong-value', { address }, at);

/** The groups by their servers and other integrations. */
const grouped = (...found: readonly Diagnostic[]) =>
  groupFindings(found).map(({ servers, others }) => ({ servers, others }));

describe('one mistake in several integrations', () => {
  test('is one group that names the others, each once', () => {
    expect(
      grouped(masked('a.options.k.value'), masked('b.options.k.value'), masked('b.options.k.value')),
    ).toEqual([{ servers: [], others: ['b'] }]);
  });
  test('is one whatever these have instead', () => {
    const unknown = (integration: string, known: string[]) =>
      diagnostic('unknown-option', { key: 'x', integration, known, total: known.length }, place);
    expect(grouped(unknown('a', ['k']), unknown('b', ['l', 'm']))).toEqual([{ servers: [], others: ['b'] }]);
  });
  test('is one finding if a variable or an option is missing in many places', () => {
    const missing = [2, 5].map((line) =>
      diagnostic('reference-missing', { reference: '${env:SETPOINT_KEY}' }, { ...place, line }),
    );
    expect(groupFindings(missing).map(({ places }) => places.map(({ line }) => line))).toEqual([[5]]);
    const hidden = ['a', 'b'].map((integration, line) =>
      diagnostic('unknown-option', { key: 'x', integration, known: [], total: 0 }, { ...place, line }),
    );
    expect(grouped(...hidden)).toEqual([{ servers: [], others: ['b'] }]);
  });
  test('on several servers names these, each once', () => {
    const found = ['p', 's', 'p'].map((server) => onServer(masked('a.options.k.value'), server));
    expect(grouped(...found)).toEqual([{ servers: ['p', 's'], others: [] }]);
  });
  test('is one group without a place too, unless the cause differs', () => {
    const found = (integration: string, by: 'server' | 'configuration') =>
      diagnostic('stale', { integration, moved: [{ address: 'x', by }] });
    expect(grouped(found('a', 'server'), found('b', 'server'), found('c', 'configuration'))).toEqual([
      { servers: [], others: ['b'] },
      { servers: [], others: [] },
    ]);
  });
  test('is not found where the key, the place or the code is another', () => {
    expect(grouped(masked('a.options.k.value'), masked('b.options.l.value'))).toHaveLength(2);
    expect(
      grouped(masked('a.options.k.value'), masked('b.options.k.value', { ...place, line: 3 })),
    ).toHaveLength(2);
    const written = diagnostic('plain-secret', { address: 'b.options.k.value' }, place);
    expect(grouped(masked('a.options.k.value'), written)).toHaveLength(2);
  });
  test('names an integration whose name has dots', () => {
    expect(grouped(masked('a.b.options.k.value'), masked('c.d.options.k.value'))).toEqual([
      { servers: [], others: ['c.d'] },
    ]);
  });
});

test('findings come by their places', () => {
  const found = [3, 1, 2].map((line) => masked('a.options.k.value', { ...place, line }));
  expect(groupFindings(found).map(({ first }) => first.place?.line)).toEqual([1, 2, 3]);
});
