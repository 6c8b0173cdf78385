import { visible } from '../escape.ts';
import { type Model, minuteOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';
import { columnsOf } from './layout.ts';

/**
 * The first line: which command ran when, and what it compared. Nothing above a
 * question, where that is plain.
 */
export function headLines({ document, basis }: Model, view: View): string[] {
  const { command, createdAt } = document;
  if (createdAt === undefined && basis.length === 0) return [];
  const parts = [`setpoint ${command}`];
  if (createdAt !== undefined) parts.push(minuteOf(createdAt));
  parts.push(...basis);
  const text = visible(parts.join(', '));
  return filled(text, columnsOf(view), 2, '').map(view.paint.faint);
}
