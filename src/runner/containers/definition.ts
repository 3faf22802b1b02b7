import { isPlain, listAt, type Plain, plainAt, scalarText, textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';

/** `container` of a job, or one of its `services`. */
export interface ContainerDefinition {
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** As `80` or `8080:80`. */
  readonly ports: readonly string[];
  /** As `name:/folder`. */
  readonly volumes: readonly string[];
  readonly options: readonly string[];
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
}

const IMAGE = /^[A-Za-z0-9][\w./:@-]{0,254}$/;
const PORT = /^(?:\d{1,5}:)?\d{1,5}(?:\/(?:tcp|udp))?$/;
const VOLUME = /^[A-Za-z0-9][\w.-]{0,100}:\/[^:]{1,500}(?::ro)?$/;
/** Options that give a container nothing of the machine. */
const OPTIONS = new Set(
  '--cpus --memory -m --memory-swap --shm-size --health-cmd --health-interval --health-retries --health-timeout --health-start-period --hostname -h --label -l --env -e --tmpfs --ulimit --user -u --workdir -w --entrypoint --platform --stop-timeout --init --read-only --no-healthcheck'.split(
    ' ',
  ),
);

/**
 * Reads a container of a workflow, whose expressions were evaluated.
 * @throws RunnerProblem for what would give it more of the machine than the job's folder
 */
export function readContainer(value: unknown, name: string): ContainerDefinition {
  const source: Plain = isPlain(value) ? value : { image: scalarText(value) };
  const image = textAt(source, 'image');
  if (!IMAGE.test(image)) throw new RunnerProblem(`${name}: ${JSON.stringify(image)} is not the name of an image`);
  const env = Object.entries(plainAt(source, 'env')).map(([key, item]) => [key, scalarText(item)]);
  const credentials = plainAt(source, 'credentials');
  return {
    image,
    env: Object.fromEntries(env),
    ports: checked(listAt(source, 'ports'), PORT, `${name}.ports`),
    volumes: checked(listAt(source, 'volumes'), VOLUME, `${name}.volumes: only volumes with a name are possible, and`),
    options: readOptions(textAt(source, 'options'), name),
    credentials:
      'username' in credentials ? { username: textAt(credentials, 'username'), password: textAt(credentials, 'password') } : undefined,
  };
}

function checked(values: readonly unknown[], pattern: RegExp, name: string): string[] {
  return values.map((value) => {
    const text = scalarText(value);
    if (!pattern.test(text)) throw new RunnerProblem(`${name} ${JSON.stringify(text)} is not one`);
    return text;
  });
}

function readOptions(text: string, name: string): string[] {
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"']|"[^"]*"|'[^']*')+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? (plain ?? '').replaceAll(/["']/g, ''),
  );
  for (const word of words) {
    const option = word.split('=')[0] ?? '';
    if (option.startsWith('-') && !OPTIONS.has(option)) throw new RunnerProblem(`${name}.options: ${option} is not possible here`);
  }
  return words;
}
