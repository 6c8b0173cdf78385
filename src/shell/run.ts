import type { Diagnostic, Reached } from '../core/findings/diagnostic.ts';
import type { CommandEnd } from '../core/findings/exit-code.ts';
import type { SourceText } from '../core/model/place.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import type { Document, RevisionDocument } from '../core/plan/plan-document.ts';
import type { Origin } from '../core/report/document.ts';
import type { Detail, LinesReport } from '../core/report/report.ts';
import type { Options, ReportTarget, Shard } from './flags.ts';
import type { Interruption } from './interruption.ts';
import type { Progress } from './progress.ts';
import type { Surroundings } from './runtime.ts';
import type { Writer } from './writer.ts';

/** Does the work of a command. */
export type CommandBody = (
  run: Run,
  args: readonly string[],
) => Promise<CommandResult>;

/** The end of a command. */
export interface CommandResult extends CommandEnd {
  diagnostics: readonly Diagnostic[];
  report?: Report | undefined;
  /** How far a command that writes got. */
  reached?: Reached | undefined;
}

type Report = ChangesReport | DocumentReport | LinesReport;

/** A report of servers with changes, whose document is still to be made. */
export interface ChangesReport {
  kind: 'changes';
  servers: readonly ServerPlan[];
  /** The revision that a diff shows, if it is not the work tree. */
  head?: RevisionDocument | undefined;
  /** Whether all servers could be planned. */
  isComplete?: boolean | undefined;
  /** The report that was taken back, in an undo. */
  undone?: Document['undone'];
  shown: Detail;
}

/** A report of a document that was made before. */
interface DocumentReport {
  kind: 'document';
  document: Document;
  shown: Detail;
}

/** One run of one command: its only way to a reader, and what can stop it. */
export interface Run {
  command: Document['command'];
  /** The flags of its command line. */
  options: Options;
  runtime: Surroundings;
  writer: Writer;
  interruption: Interruption;
  /** Says what the run does on its servers. */
  progress: Progress;
  /**
   * The text of each configuration file that was read, by path, for code
   * frames.
   */
  sources: Map<string, SourceText>;
  /** The real paths of files with secrets, which no reference reads. */
  secretFiles: Set<string>;
  /** What was read from pipes, by path: each can be read only once. */
  pipes: Map<string, Promise<Uint8Array>>;
  targets: readonly ReportTarget[];
  /**
   * Files that the run is to write, reports or other: the paths as named, by
   * their real paths.
   */
  outputFiles: Map<string, string>;
  /** The part of the servers that the run takes; absent for all. */
  shard?: Shard | undefined;
  /** Asks git where the files of the run come from. */
  findOrigin: () => Promise<Origin>;
  /** Findings in addition to the result, such as a failed logout. */
  notices: Diagnostic[];
}
