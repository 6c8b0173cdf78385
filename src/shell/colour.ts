import { styleText } from 'node:util';
import { type Paint, PLAIN } from '../core/report/paint.ts';
import type { Runtime, Sink } from './runtime.ts';

export type ColourChoice = 'auto' | 'always' | 'never';

/** The colours for a sink: as asked for, else by NO_COLOR, FORCE_COLOR and TERM, else on a terminal only. */
export function paintFor(choice: ColourChoice, env: Runtime['env'], sink: Sink): Paint {
  return wantsColour(choice, env, sink) ? COLOURED : PLAIN;
}

function wantsColour(choice: ColourChoice, env: Runtime['env'], sink: Sink): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return sink.isTTY && env['TERM'] !== 'dumb';
}

type Format = Parameters<typeof styleText>[0];

/** One format a call; the decision about colours has been made above, so the stream is not asked again. */
function style(format: Extract<Format, string>): (text: string) => string {
  return (text) => (text === '' ? '' : styleText(format, text, { validateStream: false }));
}

const COLOURED: Paint = {
  add: style('green'),
  remove: style('red'),
  change: style('yellow'),
  risk: style('magenta'),
  error: style('red'),
  warning: style('yellow'),
  strong: style('bold'),
  faint: style('gray'),
};
