import { styleText } from 'node:util';
import { PLAIN, type View } from '../core/report/report.ts';
import type { Runtime, Sink } from './runtime.ts';

export type ColourChoice = 'auto' | 'always' | 'never';

/** The colours of a sink: by the flag, else by NO_COLOR, FORCE_COLOR and TERM, else on a terminal only. */
export function paintFor(choice: ColourChoice, env: Runtime['env'], sink: Sink): View['paint'] {
  return wantsColour(choice, env, sink) ? COLOURED : PLAIN;
}

function wantsColour(choice: ColourChoice, env: Runtime['env'], sink: Sink): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return sink.isTTY && env['TERM'] !== 'dumb';
}

/** Columns of text on a sink: those of a terminal, but at least 40, or 80 elsewhere. */
export function columnsOf({ isTTY, columns }: Sink): number {
  return isTTY ? Math.max(40, columns) : 80;
}

/** `paintFor` has decided already, so styleText does not ask its stream. */
function style(colour: Extract<Parameters<typeof styleText>[0], string>): (text: string) => string {
  return (text) => (text === '' ? '' : styleText(colour, text, { validateStream: false }));
}

const COLOURED: View['paint'] = {
  add: style('green'),
  remove: style('red'),
  change: style('yellow'),
  risk: style('magenta'),
  error: style('red'),
  warning: style('yellow'),
  note: style('gray'),
  strong: style('bold'),
  faint: style('gray'),
};
