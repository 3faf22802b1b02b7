import { METRICS, type MetricDeclaration, type MetricName } from './names.ts';

/** One number of a metric. */
export interface Sample {
  readonly name: MetricName;
  /** Of the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  /** `a="b",c="d"`; empty for none. */
  readonly labels: string;
  readonly value: number;
}

/** The samples of one process, or of the instance if it has no label. */
export interface Snapshot {
  /** `process="host:1234"`; empty for numbers of the instance. */
  readonly label: string;
  readonly samples: readonly Sample[];
}

/** A value of a label, with quotes and line breaks escaped. */
export function labelValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** Snapshots in the text format of Prometheus (version 0.0.4): all lines of a metric together. Unknown metrics of other versions are left out. */
export function formatMetrics(snapshots: readonly Snapshot[]): string {
  const lines = new Map<MetricName, string[]>();
  for (const { label, samples } of snapshots) {
    for (const { name, suffix = '', labels, value } of samples) {
      const declared: MetricDeclaration | undefined = METRICS[name];
      if (!declared) continue;
      let own = lines.get(name);
      if (!own) {
        own = [`# HELP ${name} ${declared.help}${declared.isOfInstance ? ' (of the instance)' : ''}`, `# TYPE ${name} ${declared.type}`];
        lines.set(name, own);
      }
      const all = label && labels ? `${label},${labels}` : label || labels;
      own.push(`${name}${suffix}${all && `{${all}}`} ${value}`);
    }
  }
  return `${[...lines.values()].flat().join('\n')}\n`;
}
