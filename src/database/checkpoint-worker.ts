import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/* A thread that moves what is in the write-ahead log of SQLite into the database on request, and reports when it is done. */

const database = new DatabaseSync(String(workerData), { timeout: 0 });
// The log is emptied when nobody writes; it is never waited for.
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => {
  try {
    checkpoint.all();
  } finally {
    parentPort?.postMessage('done');
  }
});
