import { parse } from 'yaml';

/** Variables by their names. */
export type Values = Readonly<Record<string, string>>;

/** Keywords of a job that its templates can have. */
interface GitLabJob {
  readonly extends?: string | readonly string[];
  readonly environment?: { readonly name: string };
  readonly rules?: readonly Rule[];
  readonly needs?: readonly string[];
  readonly parallel?: number;
  readonly allow_failure?: { readonly exit_codes: readonly number[] };
  readonly artifacts?: { readonly paths?: readonly string[] };
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

/** When a job is in a pipeline, and what that gives it. */
interface Rule {
  readonly if: string;
  readonly when?: string;
  readonly variables?: Values;
}

/** The jobs of a file of GitLab. */
export interface GitLabFile {
  /** Returns a job with the keywords of its templates. */
  readonly jobNamed: (name: string) => GitLabJob;
  /** Returns the rule by which a job is in a pipeline; undefined if it is not. */
  readonly ruleOf: (job: string, pipeline: Values) => Rule | undefined;
  /** Returns the variables of a job in a pipeline; undefined if it is not in it. */
  readonly inPipeline: (job: string, pipeline: Values) => Values | undefined;
}

/** Variables that GitLab gives to each job. */
const PROJECT = { CI_PROJECT_ID: '5', CI_DEFAULT_BRANCH: 'main' };

/** Reads the text of a file of GitLab. */
export function gitLabFile(text: string): GitLabFile {
  const jobs: Readonly<Record<string, GitLabJob>> = parse(text);
  const jobNamed = (name: string): GitLabJob => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    let above: GitLabJob = {};
    for (const template of [job.extends ?? []].flat())
      above = { ...above, ...jobNamed(template) };
    const artifacts = { ...above.artifacts, ...job.artifacts };
    return { ...above, ...job, artifacts };
  };
  const ruleOf = (job: string, pipeline: Values): Rule | undefined => {
    const known = { ...PROJECT, ...pipeline };
    const rule = jobNamed(job).rules?.find((each) => holds(each.if, known));
    return rule?.when === 'never' ? undefined : rule;
  };
  const inPipeline = (job: string, pipeline: Values): Values | undefined => {
    const known: Values = { ...PROJECT, ...pipeline };
    const rule = ruleOf(job, pipeline);
    if (rule === undefined) return undefined;
    const variables: Record<string, string> = {};
    for (const [name, value] of Object.entries(rule.variables ?? {}))
      variables[name] = value.replace(/\$(\w+)/g, (_, of) => known[of] ?? '');
    // What a person gives to a pipeline beats what a rule gives.
    return { ...variables, ...known };
  };
  return { jobNamed, ruleOf, inPipeline };
}

/** Whether a condition of a rule holds: comparisons, all of them. */
function holds(condition: string, variables: Values): boolean {
  return condition.split(' && ').every((part) => {
    const [, name = '', operator, text = ''] =
      /^\$(\w+) (==|!=|=~|!~) (.+)$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`unknown: ${part}`);
    const value = variables[name];
    const [, pattern] = /^\/(.*)\/$/.exec(text) ?? [];
    const [, literal] = /^"(.*)"$/.exec(text) ?? [];
    const isEqual =
      pattern === undefined
        ? value === (literal ?? variables[text.slice(1)])
        : new RegExp(pattern).test(value ?? '');
    return isEqual === !operator.startsWith('!');
  });
}
