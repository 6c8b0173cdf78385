import type { Diagnostic, Reached } from '../core/findings/diagnostic.ts';
import type { ToldEnding } from '../core/findings/exit-code.ts';
import type { SourceText } from '../core/model/place.ts';
import type {
  Document,
  ServerDocument,
  ServerPlan,
} from '../core/plan/plan.ts';
import type { linesReport, View } from '../core/report/report.ts';
import type { Options } from './flags.ts';
import type { Interruption } from './interruption.ts';
import type { Runtime } from './runtime.ts';
import type { Writer } from './writer.ts';

/** Does the work of a command. */
export type CommandBody = (
  run: Run,
  options: Options,
  args: readonly string[],
) => Promise<CommandResult>;

/** What a command ends with. */
export interface CommandResult extends ToldEnding {
  readonly diagnostics: readonly Diagnostic[];
  readonly report?: Report | undefined;
  /** How far a command that writes got. */
  readonly reached?: Reached | undefined;
}

/** Servers with changes, a document that was made before, or lines: text for a person, and the fields of its JSON. */
type Report =
  | {
      readonly kind: 'changes';
      readonly servers: readonly (ServerPlan | ServerDocument)[];
      /** Whether all servers could be planned. */
      readonly isComplete?: boolean;
      /** What setpoint.yaml loosens, in a diff. */
      readonly loosened?: readonly string[];
      readonly shown: Pick<View, 'full' | 'outcomes'>;
    }
  | {
      readonly kind: 'document';
      readonly document: Document;
      readonly shown: Pick<View, 'full'>;
    }
  | ReturnType<typeof linesReport>;

/** One run of one command: its only way to a reader, and what can stop it. */
export interface Run {
  readonly command: Document['command'];
  readonly runtime: Omit<Runtime, 'stdout' | 'stderr' | 'ask'>;
  readonly writer: Writer;
  readonly interruption: Interruption;
  /** The text of each configuration file that was read, by path, for code frames. */
  readonly sources: Map<string, SourceText>;
  /** What was read from pipes, by path: each can be read only once. */
  readonly pipes: Map<string, Promise<Uint8Array>>;
  readonly targets: NonNullable<Options['report']>;
  /** Report files that may be written: the paths as named, by their real paths. */
  readonly reportFiles: Map<string, string>;
  /** Which part of the servers it takes, under --shard. */
  readonly part: { shard?: Omit<NonNullable<Document['shard']>, 'exit'> };
  /** Findings in addition to the result, such as a failed logout. */
  readonly notices: Diagnostic[];
}
