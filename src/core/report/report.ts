import type { AcceptedFile } from '../accept/accept.ts';
import type { RevisionDiff } from '../diff/revision-diff.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import type { CodeHelp } from '../findings/explained/help.ts';
import type { IntegrationError } from '../live/integration-error.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { PlanSnapshot, ServerPlan } from '../plan/plan.ts';
import type { Shown } from '../show/shown.ts';
import type { Snapshot, SnapshotCounts } from '../snapshot/document.ts';
import type { Clean } from './clean.ts';
import type { Paint } from './paint.ts';

/** The result of a command as plain data. Every format renders every kind. */
export type Report =
  | PlanReport
  | { readonly kind: 'list'; readonly servers: ByServer<{ integrations: readonly ListedIntegration[] }> }
  | { readonly kind: 'errors'; readonly servers: ByServer<{ errors: readonly IntegrationError[] }> }
  | Readonly<{
      kind: 'validation';
      files: number;
      integrations: number;
      valid: boolean;
      snapshots?: readonly PlanSnapshot[];
    }>
  | { readonly kind: 'schema'; readonly schema: object }
  | { readonly kind: 'pull'; readonly servers: ByServer<Pulled> }
  | SnapshotReport
  | (RevisionDiff & { readonly kind: 'diff'; readonly full?: boolean })
  | (Shown & { readonly kind: 'show'; readonly full?: boolean })
  | AcceptReport
  /** One code is shown in full, several as a list. */
  | { readonly kind: 'explanations'; readonly findings: readonly CodeHelp[] }
  /** A command that failed early has only findings. */
  | { readonly kind: 'none' };

/** The plans of one run, before or after an apply. */
export interface PlanReport {
  readonly kind: 'plan';
  readonly servers: readonly ServerPlan[];
  /** Whether it has the plans of all servers. */
  readonly isComplete: boolean;
  /** Whether an apply made them, though it may have written nothing. */
  readonly isApply?: boolean;
  /** The working directory that its places are named from, as in a view; absent where it is that of the view. */
  readonly folder?: string;
  readonly shown?: PlanShown;
}

/** What a snapshot holds; with its document, where text is to be that. */
export interface SnapshotReport extends SnapshotCounts {
  readonly kind: 'snapshot';
  readonly name: string;
  readonly url: string;
  readonly takenAt: string;
  /** The file that it is in, and the command that plans against it; absent where it is printed. */
  readonly file?: string;
  readonly next?: string;
  readonly document?: Snapshot;
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

type ByServer<Part> = readonly Readonly<Part & { name: string; url: string; snapshot?: PlanSnapshot }>[];

/** What a pull wrote, and what is left to do. */
export interface Pulled {
  /** The paths of all written files, from the working folder. */
  readonly files: readonly { readonly path: string }[];
  /** The folder of the new entries. */
  readonly into: string;
  /** How many integrations have new entries, and how many had some before. */
  readonly adopted: number;
  readonly managed: number;
  /** The variables that the new entries read, and whether the server shows their values. */
  readonly variables: readonly {
    readonly variable: string;
    readonly address: string;
    readonly isShown: boolean;
  }[];
  /** The file that names them. */
  readonly example?: string;
  /** The new file of secrets, and how many are in it. */
  readonly secrets?: { readonly path: string; readonly count: number };
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[];
  readonly notInstalled: readonly { readonly name: string }[];
  /** What to do next, each in a line: words, or a command. */
  readonly next: readonly { readonly text: string; readonly isCommand: boolean }[];
}

/** The differences that were taken back into files, or would be. */
export interface AcceptReport {
  readonly kind: 'accept';
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly files: readonly Pick<AcceptedFile, 'path' | 'isNew' | 'diff' | 'fields'>[];
  readonly isWritten: boolean;
  /** Whether a person has seen the edits before a question. */
  readonly isSeen: boolean;
}

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  /** Absent where a snapshot stands for the server. */
  readonly errors?: number;
  readonly options: number;
  readonly managedOptions?: number;
}

/** How a report is shown. */
export interface View {
  readonly paint: Paint;
  /** Columns of a line. */
  readonly width: number;
  /** The working directory's path from the root of its git repository; empty at the root, and outside of one. */
  readonly folder: string;
  /** The path of the project's file from there; absent where there is none. */
  readonly project?: string;
  /** When it is made, in milliseconds. */
  readonly now?: number | undefined;
  /** The program that wrote the report. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Where all findings are explained on the web, each at its code; absent where no such page is known. */
  readonly findingsPage?: string;
}

/** Renders any report in one format. Pure; the text ends with a newline unless it is empty. */
export type Renderer = (report: Clean<Report>, findings: Clean<readonly Diagnostic[]>, view: View) => string;
