import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/* A thread that copies SQLite's write-ahead log into the database on request, and reports when it is done. */

const database = new DatabaseSync(String(workerData), { timeout: 0 });
// The log is emptied when nobody writes; the checkpoint never waits for writers.
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => {
  try {
    checkpoint.all();
  } finally {
    parentPort?.postMessage('done');
  }
});
