import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A worker that reads an address, `workerData`, over and over. On a message it ends, and posts how many milliseconds each read took, the shortest
 * first. It is a thread of its own because to start many processes holds the one that does it.
 */
const times: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const started = performance.now();
  await new Promise((resolve, reject) => {
    get(workerData, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
  times.push(performance.now() - started);
  await sleep(20);
}
parentPort?.postMessage(times.sort((a, b) => a - b));
