/**
 * The library: what the program computes, as functions over plain data, for gates of one's own. None of them reads a file, an
 * environment or a server, and none writes.
 */
export { type Config, type ConfigFile, type ParsedConfig, parse } from './library/config.ts';
export type { Diagnostic } from './library/diagnostic.ts';
export type { LackingDocument, LiveDocuments } from './library/live.ts';
export { type PlanInput, type Planned, plan, type ServerPlan } from './library/plan.ts';
export type { Environment } from './library/references.ts';
export { type RenderOptions, type Report, render } from './library/render.ts';
export { type CatalogDefinition, type ValidateOptions, validate } from './library/validate.ts';
