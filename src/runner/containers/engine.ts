import { runProcess } from '../job/process.ts';
import { messageOf, RunnerProblem } from '../problem.ts';

/** The program that runs containers. */
export interface Engine {
  /** `podman` or `docker`, or the path of one. */
  readonly program: string;
}

/** A call of the engine. */
export interface EngineCall {
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  readonly onLine?: (line: string) => void;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const PROGRAMS = ['podman', 'docker'];
/** Variables of the runner by which the engine is found. Nothing that a job says is among them: the engine runs outside of containers. */
const PASSED = ['PATH', 'HOME', 'DOCKER_HOST', 'DOCKER_CONFIG', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'];
const CHECK_MS = 10_000;
const MAX_LINES = 10_000;

/**
 * Finds what runs containers.
 * @param choice `auto`, `none`, or the name or path of a program
 * @throws RunnerProblem when the one that is named does not work
 */
export async function findEngine(choice: string): Promise<Engine | undefined> {
  if (choice === 'none') return undefined;
  for (const program of choice === 'auto' ? PROGRAMS : [choice]) {
    try {
      await callEngine({ program }, { args: ['info'], signal: AbortSignal.timeout(CHECK_MS) });
      return { program };
    } catch (error) {
      if (choice !== 'auto') throw new RunnerProblem(`${program} does not work: ${messageOf(error)}`);
    }
  }
  return undefined;
}

/** Runs the engine; returns its exit code. */
export async function runEngine({ program }: Engine, { args, signal, onLine = () => {}, input, env }: EngineCall): Promise<number> {
  const passed = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const all = { ...(Object.fromEntries(passed) as Record<string, string>), ...env };
  return await runProcess({ argv: [program, ...args], cwd: '/', env: all, signal, onLine, ...(input !== undefined && { input }) });
}

/**
 * Runs the engine; returns what it printed.
 * @throws RunnerProblem
 */
export async function callEngine(engine: Engine, call: EngineCall): Promise<string> {
  const lines: string[] = [];
  const code = await runEngine(engine, { ...call, onLine: (line) => void (lines.length < MAX_LINES && lines.push(line)) });
  if (code === 0) return lines.join('\n').trim();
  throw new RunnerProblem(`${engine.program} ${call.args[0]}: ${lines.at(-1) ?? `exit code ${code}`}`);
}
