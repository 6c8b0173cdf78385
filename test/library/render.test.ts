import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/core/model/version.ts';
import { render } from '../../src/index.ts';
import { sampleDocument } from '../support/documents.ts';
import { FORMATS, rendered } from '../support/rendered.ts';

const { servers: plans, diagnostics } = sampleDocument();

describe('render', () => {
  test.each(FORMATS.filter((each) => each !== 'text' && each !== 'html' && each !== 'json'))(
    'makes the %s of the commands',
    (format) => {
      expect(render({ plans, diagnostics }, format)).toBe(
        rendered(format, { ...sampleDocument(), tool: { name: 'setpoint', version: VERSION } }),
      );
    },
  );
  test('shows plans before findings in text, and notes only if asked', () => {
    const note = { code: 'own', severity: 'note', message: 'By the way.' } as const;
    const text = render({ plans, diagnostics: [...diagnostics, note] }, 'text');
    expect(text.startsWith(rendered('text', sampleDocument()))).toBe(true);
    expect(text).toContain('error unknown-option: [production] zeek');
    expect(text).not.toContain('By the way.');
    expect(render({ diagnostics: [note] }, 'text', { notes: true })).toContain('note own: By the way.');
  });
  test('masks secrets that a gate knows', () => {
    const found = { code: 'own', severity: 'error', message: 'It is s3cret-key.' } as const;
    expect(render({ diagnostics: [found] }, 'json', { secrets: ['s3cret-key'] })).not.toContain('s3cret-key');
  });
});
