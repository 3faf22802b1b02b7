import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOADING_ARGUMENTS } from '../../workers/loading.ts';
import { killGroupOf, LaunchedProcess } from './launched-process.ts';
import type { LauncherMessage, LaunchRequest } from './launcher-program.ts';

/*
 * Starting a process copies the page tables of its parent, so a server of 250 MB would block for some milliseconds for each git process, and
 * pay for every page that it touches meanwhile. So a small process beside it starts git. It gives git sockets that the server has connected,
 * so no byte passes through it. Its children inherit its memory limit, so most git processes need no shell that sets it first. The limit is a
 * soft one, so a shell can raise it for the others: half a millisecond each, instead of the memory of another launcher.
 */

const PROGRAM = fileURLToPath(new URL('./launcher-program.ts', import.meta.url));
/**
 * The memory limits of one git process in KiB: a few trees that contain each other many times are billions of files, and a pushed delta of
 * some bytes is an object of any size.
 */
const MEMORY_LIMITS = { bounded: String(2 * 1024 * 1024), receiving: String(4 * 1024 * 1024), unbounded: 'unlimited' } as const;
/** Which of the limits of memory a git process has. */
export type MemoryLimit = keyof typeof MEMORY_LIMITS;

/** Where the system allows less than the limit, git gets as much as it allows. */
const LIMITED_GIT = 'ulimit -d "$0" 2>/dev/null || ulimit -S -d "$(ulimit -H -d)"; exec git "$@"';
const LIMITED_LAUNCHER = 'ulimit -S -d "$0" 2>/dev/null; exec "$@"';
const SMALL = ['--max-semi-space-size=1', '--v8-pool-size=0'];
/** How long no launcher is started after one that failed, for example without a writable temporary folder, in milliseconds. */
const PAUSE_MS = 60_000;

/** How to start git. */
export type Launch = Pick<LaunchRequest, 'args' | 'env'> & { cwd?: string | undefined; channels?: number };

let launcher: Launcher | undefined;
let pausedUntil = 0;

/** The arguments of a shell that gives itself a memory limit and becomes git: only a process itself can be given one. */
export function withLimit(memory: MemoryLimit, args: readonly string[]): string[] {
  return ['-c', LIMITED_GIT, MEMORY_LIMITS[memory], ...args];
}

/**
 * Lets a launcher start git as the leader of a process group. The first call starts the launcher, which takes a moment.
 * @returns undefined when the caller has to start git itself
 */
export function launch(memory: MemoryLimit, what: Launch): LaunchedProcess | undefined {
  if (launcher && memory === 'bounded') return launcher.launch('git', what);
  if (launcher) return launcher.launch('/bin/sh', { ...what, args: withLimit(memory, what.args) });
  if (performance.now() >= pausedUntil) launcher = new Launcher();
  return undefined;
}

/** One launcher and its processes. It does not keep this process alive, but its processes do. */
class Launcher {
  readonly #process: ChildProcess;
  readonly #processes = new Map<number, { child: LaunchedProcess; slot: number }>();
  readonly #freeSlots: number[] = [];
  #folder: string | undefined;
  #lastId = 0;

  constructor() {
    const cache = process.env.NODE_COMPILE_CACHE;
    this.#process = spawn(
      '/bin/sh',
      ['-c', LIMITED_LAUNCHER, MEMORY_LIMITS.bounded, process.execPath, ...SMALL, ...LOADING_ARGUMENTS, PROGRAM],
      {
        cwd: '/',
        env: { TMPDIR: process.env.TMPDIR ?? '', ...(cache ? { NODE_COMPILE_CACHE: cache } : {}) },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        detached: true,
      },
    );
    this.#process.on('message', (message: LauncherMessage) => this.#receive(message));
    this.#process.on('error', () => this.#end());
    this.#process.on('exit', () => this.#end());
    this.#process.unref();
    this.#process.channel?.unref();
  }

  launch(program: string, { channels = 0, cwd = process.cwd(), ...what }: Launch): LaunchedProcess | undefined {
    if (this.#folder === undefined || !this.#process.connected) return undefined;
    const slot = this.#freeSlots.pop();
    if (slot === undefined) return undefined;
    const id = ++this.#lastId;
    // The slot is never used again: what was connected to it may still arrive.
    const child = new LaunchedProcess(join(this.#folder, String(slot)), channels, (error) => this.#forget(id)?.failed(error));
    this.#processes.set(id, { child, slot });
    this.#process.channel?.ref();
    this.#process.send({ id, slot, cwd, streams: child.stdio.length, program, ...what } satisfies LaunchRequest, (error) => {
      if (error) this.#forget(id)?.failed(error);
    });
    return child;
  }

  #receive(message: LauncherMessage): void {
    if ('folder' in message) {
      this.#folder = message.folder;
      this.#freeSlots.push(...Array(message.slots).keys());
      return;
    }
    const known = this.#processes.get(message.id);
    if ('code' in message) {
      this.#forget(message.id)?.ended(message.code, message.signal);
      return;
    }
    if (known) this.#freeSlots.push(known.slot);
    if ('error' in message) this.#forget(message.id)?.failed(Object.assign(new Error(message.error.message), message.error));
    else if (known) known.child.began(message.pid);
    // Its streams could not all be connected, yet it was started.
    else killGroupOf(message.pid, 'SIGKILL');
  }

  #forget(id: number): LaunchedProcess | undefined {
    const { child } = this.#processes.get(id) ?? {};
    this.#processes.delete(id);
    if (this.#processes.size === 0) this.#process.channel?.unref();
    return child;
  }

  /** The launcher has died, so the end of its processes would not be noticed: they are killed, and the next call starts another launcher. */
  #end(): void {
    if (launcher === this) launcher = undefined;
    if (this.#folder === undefined) pausedUntil = performance.now() + PAUSE_MS;
    else rm(this.#folder, { recursive: true, force: true }, () => {});
    for (const [id, { child }] of [...this.#processes]) {
      this.#forget(id);
      child.killGroup('SIGKILL');
      if (child.pid === undefined) child.failed(new Error('the launcher of git processes has ended'));
      else child.ended(null, 'SIGKILL');
    }
  }
}
