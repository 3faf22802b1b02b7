import { RunnerProblem } from '../problem.ts';

/** How a script is run. */
export interface Shell {
  /** Of the file with the script. */
  readonly extension: string;
  /** Program and arguments; `{0}` is replaced by the file. */
  readonly template: string;
  /** The script as it is written to the file. */
  readonly script: (text: string) => string;
}

const asIs = (text: string) => text;
const POWERSHELL = (text: string) =>
  `$ErrorActionPreference = 'stop'\n${text}\nif ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }`;

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell */
const SHELLS: Readonly<Record<string, Shell>> = {
  bash: { extension: '.sh', template: 'bash --noprofile --norc -e -o pipefail {0}', script: asIs },
  sh: { extension: '.sh', template: 'sh -e {0}', script: asIs },
  python: { extension: '.py', template: 'python {0}', script: asIs },
  node: { extension: '.js', template: 'node {0}', script: asIs },
  pwsh: { extension: '.ps1', template: `pwsh -command ". '{0}'"`, script: POWERSHELL },
  powershell: { extension: '.ps1', template: `powershell -command ". '{0}'"`, script: POWERSHELL },
  cmd: { extension: '.cmd', template: 'cmd /D /E:ON /V:OFF /S /C "CALL "{0}""', script: (text) => `@echo off\r\n${text}` },
};
/** Of a step that names no shell. */
export const UNSPECIFIED: Shell = { extension: '.sh', template: 'bash -e {0}', script: asIs };

/**
 * The shell of a name, or of a template such as `perl {0}`.
 * @throws RunnerProblem
 */
export function shellOf(name: string): Shell {
  const known = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (known) return known;
  if (!name.includes('{0}')) throw new RunnerProblem(`there is no shell ${JSON.stringify(name)}; a template has {0} for the script`);
  return { extension: '', template: name, script: asIs };
}

/**
 * The program and its arguments for a script.
 * @throws RunnerProblem for a template without a program
 */
export function commandOf(template: string, file: string): [string, ...string[]] {
  const words = [...template.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [program, ...args] = words.map((word) => word.replaceAll('{0}', file));
  if (!program) throw new RunnerProblem('the shell names no program');
  return [program, ...args];
}
