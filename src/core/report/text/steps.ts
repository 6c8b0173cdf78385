import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled } from './spans.ts';

/**
 * Something for a person to do: in words, or a command that runs as it is
 * printed.
 */
export interface Step {
  text: string;
  isCommand: boolean;
}

export function words(text: string): Step {
  return { text, isCommand: false };
}

export function command(text: string): Step {
  return { text, isCommand: true };
}

/** Asks for the layers of a server, as a line of `setpoint.yaml`. */
export function layerSteps(server: string, configLine: string): Step[] {
  return [
    words(`Let setpoint.yaml say this of ${server}:`),
    command(configLine),
  ];
}

/** The lines of steps, under a title; none without any. */
export function nextLines(
  steps: readonly Step[],
  { paint, width }: View,
): string[] {
  if (steps.length === 0) return [];
  const lines = steps.flatMap(({ text, isCommand }) =>
    isCommand ? [`  ${visible(text)}`] : filled(visible(text), width),
  );
  return [paint.strong('Next:'), ...lines];
}
