/** The library: what the program computes, as functions over plain data. None reads a file, an environment or a server. */
export { parseConfig as parse } from './core/config/config.ts';
export type { Checked, Diagnostic } from './core/findings/diagnostic.ts';
export type { LiveIntegration } from './core/model/live.ts';
export type { ChangeDocument, Document, IntegrationDocument, ServerDocument } from './core/plan/plan.ts';
export type { Format } from './core/report/formats.ts';
export { decode, type PlanInput, plan, render } from './library/library.ts';
