import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rm, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The program of the launcher (launcher.ts), which starts git for a server. It loads nothing else of Copse, so that it stays small: to start
 * a process costs by the memory of the one that does it.
 *
 * The server connects the streams of a process to a socket in a folder of the launcher's own, and sends what to start. Each process that is
 * being started has a socket of its own, its slot, so no stream can become one of another process.
 */

/** How many processes can be about to start at one time. */
const SLOTS = 32;
/** The prefix of the folder with the sockets. */
const FOLDER = 'copse-launcher-';
/** A socket of the folder that shows by accepting connections that its launcher runs. */
const ALIVE = 'alive';
/** What the server has left when it ended is killed after so many milliseconds. */
const GRACE_MS = 2000;

/** What the server asks for. */
export interface LaunchRequest {
  readonly id: number;
  readonly slot: number;
  /** How many streams were connected, from descriptor 0 on. */
  readonly streams: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the launcher says to the server. */
export type LauncherMessage =
  | { readonly folder: string; readonly slots: number }
  | { readonly id: number; readonly pid: number }
  | { readonly id: number; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly error: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };

interface Slot {
  streams: Socket[];
  request?: LaunchRequest;
}

/** Those that run, and whether they have sockets that they take the end of for the order to end. */
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
    // Node throws for arguments that cannot be, and for some errors of the system.
    failed(request, error as NodeJS.ErrnoException);
  }
  for (const stream of streams) stream.destroy();
}

function start(request: LaunchRequest, streams: readonly Socket[]): void {
  const { id, args, cwd, env } = request;
  for (const stream of streams.slice(3)) makeBlocking(stream);
  const child = spawn('git', args, { cwd, env, stdio: [...streams], detached: true });
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
  // The system has one error for a missing program and a missing folder.
  if (code === 'ENOENT' && !existsSync(cwd)) say({ id, error: { message: `no folder ${cwd}`, code, syscall: 'chdir' } });
  else say({ id, error: { message, ...(code ? { code } : {}), ...(syscall ? { syscall } : {}) } });
}

/** What a process gets as 0, 1 or 2 is made so by Node; a shell cannot read from others without. */
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

/** Removes the folders of launchers that were killed together with their server: their sockets refuse connections. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER))) {
    const folder = join(tmpdir(), name);
    const socket = connect(join(folder, ALIVE), () => socket.destroy());
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      // A folder that is being made has no socket yet. One of another user stays.
      if (code === 'ECONNREFUSED') rm(folder, { recursive: true, force: true }, () => {});
    });
  }
}

/** The server has ended: so does all that was started for it, and cleans up as it does on a signal. */
function end(): void {
  exitWhenAlone();
  // A push that loses its sockets removes what it brought; a signal would end it before.
  killAll('SIGTERM', ({ hasChannels }) => !hasChannels);
  setTimeout(() => {
    killAll('SIGKILL', () => true);
    process.exit();
  }, GRACE_MS);
}

/** Where the one that started this program waits for its messages. */
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
  // A terminal or a service manager signals all of a group; the server decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  removeAbandoned();
}

main();
