import { test } from 'vitest';
import { PLAIN, type View } from '../../../../src/core/report/report.ts';
import { renderLists } from '../../../../src/core/report/text/list.ts';
import { renderShown } from '../../../../src/core/report/text/show.ts';
import { renderText } from '../../../../src/core/report/text/text.ts';
import { expectGolden } from '../../../support/golden.ts';
import { LISTS, SAMPLES, SHOWN } from '../samples.ts';

const ESCAPE = '\u001b';

const TONES = Object.keys(PLAIN);

/** Each tone as a colour of its own, which takes no column. */
const COLOURED = Object.fromEntries(
  TONES.map((name, at) => [
    name,
    (text: string) =>
      text === '' ? '' : `${ESCAPE}[${at + 1}m${text}${ESCAPE}[0m`,
  ]),
) as unknown as View['paint'];

/** A text with the names of its colours. */
function named(text: string): string {
  let shown = text.replaceAll(`${ESCAPE}[0m`, '</>');
  for (const [at, name] of TONES.entries()) {
    shown = shown.replaceAll(`${ESCAPE}[${at + 1}m`, `<${name}>`);
  }
  return shown;
}

/** The ways in which a person may see a text. */
const VIEWS: Readonly<Record<string, Partial<View>>> = {
  text: {},
  full: { full: true, verbose: true, width: 120 },
  narrow: { width: 40 },
  painted: { paint: COLOURED },
  outcomes: { outcomes: true },
};

/** A text in each view. */
function inViews(render: (view: View) => string): string {
  const shown: string[] = [];
  for (const [name, own] of Object.entries(VIEWS)) {
    const text = render({ paint: PLAIN, width: 80, ...own });
    shown.push(`== ${name}\n${named(text)}`);
  }
  return shown.join('\n');
}

test.each(['plan', 'applied', 'values', 'unwritten', 'compared', 'nothing'])(
  'a document as text: %s',
  (name) => {
    const document = SAMPLES[name];
    if (document === undefined) throw new Error(`no sample ${name}`);
    expectGolden(
      `${name}.text`,
      inViews((view) => renderText(document, view)),
    );
  },
);

test.each(Object.entries(SHOWN))('what show finds: %s', (name, shown) => {
  expectGolden(
    `show-${name}.text`,
    inViews((view) => renderShown(shown, view)),
  );
});

test('lists of integrations and of errors', () => {
  expectGolden(
    'lists.text',
    inViews((view) => renderLists(LISTS, view)),
  );
});
