import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Expressions } from '../expressions.ts';
import type { Job, StepScope } from '../job/job.ts';
import { type Plain, plainAt, textAt } from '../plain.ts';
import { inPlace, type Program, type ProgramEnd, runProgram } from './run-program.ts';
import { commandOf, type Shell, shellOf, UNSPECIFIED } from './shells.ts';

/** A step with `run`. */
export interface ScriptStep {
  readonly step: Plain;
  readonly expressions: Expressions;
  readonly program: Program;
}

/**
 * Runs the script of a step.
 * @throws RunnerProblem
 */
export async function runScript(job: Job, scope: StepScope, { step, expressions, program }: ScriptStep): Promise<ProgramEnd> {
  const defaults = scope.action ? {} : { ...plainAt(job.workflowDefaults, 'run'), ...plainAt(plainAt(job.definition, 'defaults'), 'run') };
  const text = async (key: string) => (await expressions.text(step[key])) || (await expressions.text(defaults[key]));
  const shell = await chosenShell(job, await text('shell'));
  const folder = await text('working-directory');
  const cwd = isAbsolute(folder) ? folder : join(job.folders.workspace, folder);
  const script = await expressions.text(step.run);
  const file = join(job.folders.temp, `${randomUUID()}${shell.extension}`);
  await writeFile(file, `${shell.script(script)}\n`, { mode: 0o700 });
  const argv = commandOf(shell.template, file);
  job.log.add(`::group::Run ${firstLine(script)}\n${script.trimEnd()}\nshell: ${shell.template}\n::endgroup::`);
  try {
    return await runProgram(job, scope, program, inPlace(job, argv, cwd));
  } finally {
    await rm(file, { force: true });
  }
}

async function chosenShell(job: Job, name: string): Promise<Shell> {
  if (name === '') return (await job.executor.has('bash')) ? UNSPECIFIED : shellOf('sh');
  const shell = shellOf(name);
  if (name === 'node' && !(await job.executor.has('node'))) return { ...shell, template: `"${job.executor.node}" {0}` };
  // Many systems have no program of the bare name.
  if (name === 'python' && !(await job.executor.has('python'))) return { ...shell, template: shell.template.replace('python', 'python3') };
  return shell;
}

function firstLine(script: string): string {
  return script.trim().split('\n')[0]?.slice(0, 200) ?? '';
}

/** How a step is called in the log and the list of steps. */
export function nameOf(step: Plain): string {
  return textAt(step, 'name') || `Run ${firstLine(textAt(step, 'run') || textAt(step, 'uses'))}`;
}
