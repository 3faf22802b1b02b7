/**
 * The milliseconds of processor time that this process spends on something. Unlike the time that passes they are not more where the
 * machine has much else to do, so a bound on them is one on the work.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
