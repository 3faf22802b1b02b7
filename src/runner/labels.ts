import { RunnerProblem } from './problem.ts';

/** Where jobs of a label run: on this machine itself, or in a container of an image. */
export type Place = { readonly kind: 'host' } | { readonly kind: 'container'; readonly image: string };

/** The labels of a runner: jobs name them in `runs-on`. */
export interface Label {
  readonly name: string;
  readonly place: Place;
}

/** The default labels of a runner. */
export const DEFAULT_LABELS = 'linux:host,ubuntu-latest:host';
const MAX_LABELS = 100;
const NAME = /^[\w.-]{1,100}$/;
const IMAGE = /^[A-Za-z0-9][\w./:@-]{0,254}$/;

/**
 * Reads labels such as `linux:host,ubuntu-latest:docker://node:24`; a name alone runs on the host.
 * @throws RunnerProblem
 */
export function parseLabels(text: string): Label[] {
  const parts = text.split(',').map((part) => part.trim());
  const labels = parts.filter((part) => part !== '').map(parseLabel);
  if (labels.length === 0) throw new RunnerProblem('labels: at least one is needed, such as linux:host');
  if (labels.length > MAX_LABELS) throw new RunnerProblem(`labels: there are at most ${MAX_LABELS}`);
  return labels;
}

function parseLabel(text: string): Label {
  const at = text.indexOf(':');
  const name = at === -1 ? text : text.slice(0, at);
  const place = at === -1 ? 'host' : text.slice(at + 1);
  if (!NAME.test(name)) throw new RunnerProblem(`labels: ${JSON.stringify(name)} is not made of letters, digits, "_", "." and "-"`);
  if (place === 'host') return { name, place: { kind: 'host' } };
  const image = place.startsWith('docker://') ? place.slice('docker://'.length) : '';
  if (!IMAGE.test(image)) throw new RunnerProblem(`labels: ${name} has to be followed by :host or :docker://IMAGE`);
  return { name, place: { kind: 'container', image } };
}

/**
 * Where a job runs: as the first of its labels says that the runner has.
 * @throws RunnerProblem for a job whose labels it does not have
 */
export function placeOf(labels: readonly Label[], runsOn: readonly string[]): Place {
  if (runsOn.length === 0 && labels[0]) return labels[0].place;
  for (const name of runsOn) {
    const label = labels.find((one) => one.name === name);
    if (label) return label.place;
  }
  throw new RunnerProblem(`this runner has none of the labels ${runsOn.join(', ')}`);
}
