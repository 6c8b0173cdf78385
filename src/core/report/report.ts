import type { Diagnostic } from '../findings/diagnostic.ts';
import type { IntegrationError } from '../live/integration-error.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { ServerPlan } from '../plan/plan.ts';
import type { Clean } from './clean.ts';
import type { Paint } from './paint.ts';

/** The result of a command as plain data. Every format renders every kind. */
export type Report =
  | PlanReport
  | { readonly kind: 'list'; readonly servers: ByServer<{ integrations: readonly ListedIntegration[] }> }
  | { readonly kind: 'errors'; readonly servers: ByServer<{ errors: readonly IntegrationError[] }> }
  | Readonly<{ kind: 'validation'; files: number; integrations: number; valid: boolean }>
  | { readonly kind: 'schema'; readonly schema: object }
  /** A command that failed early has only findings. */
  | { readonly kind: 'none' };

/** The plans of one run, before or after an apply. */
interface PlanReport {
  readonly kind: 'plan';
  readonly servers: readonly ServerPlan[];
  /** Whether it has the plans of all servers. */
  readonly isComplete: boolean;
  readonly shown?: PlanShown;
}

/** What text shows of plans. */
export interface PlanShown {
  /** Each change by itself, in full, and each field that cannot be seen. */
  readonly full?: boolean;
  /** The requests of an apply too. */
  readonly requests?: boolean;
  /** What became of the changes alone: they were shown before. */
  readonly outcomes?: boolean;
}

type ByServer<Part> = readonly Readonly<Part & { name: string; url: string }>[];

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  readonly errors: number;
  readonly options: number;
  readonly managedOptions?: number;
}

/** How a report is shown. */
export interface View {
  readonly paint: Paint;
  /** Columns of a line. */
  readonly width: number;
  /** The program that wrote the report. */
  readonly tool: { readonly name: string; readonly version: string };
}

/** Renders any report in one format. Pure; the text ends with a newline unless it is empty. */
export type Renderer = (report: Clean<Report>, findings: Clean<readonly Diagnostic[]>, view: View) => string;
