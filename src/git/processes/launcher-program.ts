import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rm, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The program of the launcher (launcher.ts), which starts git for a server. It loads nothing else of Copse, so that it stays small: the cost
 * of starting a process grows with the memory of its parent.
 *
 * The server connects the streams of a process to a socket in the launcher's folder, and sends the request. Each process that is being
 * started has its own socket, its slot, so no stream can be connected to another process.
 */

/** How many processes can be starting at the same time. */
const SLOTS = 32;
/** The prefix of the folder with the sockets. */
const FOLDER = 'copse-launcher-';
/** A socket of the folder that accepts connections while its launcher runs. */
const ALIVE = 'alive';
/** Processes that the server has left are killed after so many milliseconds. */
const GRACE_MS = 2000;

/** A request of the server. */
export interface LaunchRequest {
  readonly id: number;
  readonly slot: number;
  /** How many streams were connected, from descriptor 0. */
  readonly streams: number;
  /** git, or a shell that becomes git. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A message of the launcher to the server. */
export type LauncherMessage =
  | { readonly folder: string; readonly slots: number }
  | { readonly id: number; readonly pid: number }
  | { readonly id: number; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly error: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };

interface Slot {
  streams: Socket[];
  request?: LaunchRequest;
}

/** Running processes, and whether they have sockets whose end tells them to end. */
const running = new Map<number, { hasChannels: boolean }>();

function say(message: LauncherMessage): void {
  // Nobody is there any more.
  process.send?.(message, undefined, undefined, () => {});
}

function startIfComplete(slot: Slot): void {
  const { request, streams } = slot;
  if (!request || streams.length < request.streams) return;
  slot.streams = [];
  delete slot.request;
  try {
    start(request, streams);
  } catch (error) {
    // Node throws for impossible arguments, and for some errors of the system.
    failed(request, error as NodeJS.ErrnoException);
  }
  for (const stream of streams) stream.destroy();
}

function start(request: LaunchRequest, streams: readonly Socket[]): void {
  const { id, program, args, cwd, env } = request;
  for (const stream of streams.slice(3)) makeBlocking(stream);
  const child = spawn(program, args, { cwd, env, stdio: [...streams], detached: true });
  const { pid } = child;
  child.on('error', (error) => failed(request, error));
  if (pid === undefined) return;
  running.set(pid, { hasChannels: streams.length > 3 });
  say({ id, pid });
  child.on('exit', (code, signal) => {
    running.delete(pid);
    say({ id, code, signal });
    if (!process.connected) exitWhenAlone();
  });
}

function failed({ id, cwd }: LaunchRequest, { message, code, syscall }: NodeJS.ErrnoException): void {
  // The system has the same error for a missing program and a missing folder.
  if (code === 'ENOENT' && !existsSync(cwd)) say({ id, error: { message: `no folder ${cwd}`, code, syscall: 'chdir' } });
  else say({ id, error: { message, ...(code ? { code } : {}), ...(syscall ? { syscall } : {}) } });
}

/** Node makes descriptors 0, 1 and 2 of a process blocking; a shell cannot read from others unless they are, too. */
function makeBlocking(stream: Socket): void {
  const { _handle: handle } = stream as unknown as { _handle: { setBlocking(isBlocking: boolean): number } };
  handle.setBlocking(true);
}

function killAll(signal: NodeJS.Signals, which: (started: { hasChannels: boolean }) => boolean): void {
  for (const [pid, started] of running) {
    if (!which(started)) continue;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has ended just now.
    }
  }
}

function exitWhenAlone(): void {
  if (running.size === 0) process.exit();
}

/** Deletes the folders of launchers that were killed together with their server: their sockets refuse connections. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER))) {
    const folder = join(tmpdir(), name);
    const socket = connect(join(folder, ALIVE), () => socket.destroy());
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      // A folder that is being created has no socket yet. A folder of another user stays.
      if (code === 'ECONNREFUSED') rm(folder, { recursive: true, force: true }, () => {});
    });
  }
}

/** The server has ended: ends everything that was started for it, with a chance to clean up as on a signal. */
function end(): void {
  exitWhenAlone();
  // A push that loses its sockets deletes its objects; a signal would end it before.
  killAll('SIGTERM', ({ hasChannels }) => !hasChannels);
  setTimeout(() => {
    killAll('SIGKILL', () => true);
    process.exit();
  }, GRACE_MS);
}

/** Handles the messages of the process that started this program. */
function main(): void {
  const folder = mkdtempSync(join(tmpdir(), FOLDER));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const slots: Slot[] = Array.from({ length: SLOTS }, () => ({ streams: [] }));
  let listening = 0;
  const listen = (name: string, onStream: (stream: Socket) => void) => {
    const server = createServer({ pauseOnConnect: true }, (stream) => onStream(stream.on('error', () => {})));
    server.listen(join(folder, name), () => {
      listening++;
      if (listening > SLOTS) say({ folder, slots: SLOTS });
    });
  };
  listen(ALIVE, (stream) => stream.destroy());
  slots.forEach((slot, number) => {
    listen(String(number), (stream) => {
      slot.streams.push(stream);
      startIfComplete(slot);
    });
  });
  process.on('message', (request: LaunchRequest) => {
    const slot = slots[request.slot];
    if (!slot) return;
    slot.request = request;
    startIfComplete(slot);
  });
  process.on('disconnect', end);
  // A terminal or a service manager signals the whole group; the server decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  removeAbandoned();
}

main();
