/** The description of a metric. */
export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Whether its value is of the whole instance, the same from each process; others are of one process. */
  readonly isOfInstance?: true;
}

const counter = (help: string): MetricDeclaration => ({ type: 'counter', help });
const gauge = (help: string): MetricDeclaration => ({ type: 'gauge', help });
const histogram = (help: string): MetricDeclaration => ({ type: 'histogram', help });
const ofInstance = (help: string): MetricDeclaration => ({ type: 'gauge', help, isOfInstance: true });

/** Every metric. The names are an interface: dashboards and alerts use them. */
export const METRICS = {
  copse_process_info: gauge('The process, with its version; always 1'),
  copse_requests_total: counter('Requests by route, method and class of the status'),
  copse_request_duration_seconds: histogram('Time of requests by route and method, until the response was sent'),
  copse_requests_in_flight: gauge('Requests whose response is not sent yet'),
  copse_failed_sign_ins_total: counter('Refused sign-ins by method'),
  copse_ssh_connections: gauge('Open SSH connections'),
  copse_ssh_connections_total: counter('Accepted SSH connections'),
  copse_database_queries_total: counter('Statements by kind'),
  copse_database_query_duration_seconds: histogram('Time of statements, waiting for a connection not included'),
  copse_database_transactions_total: counter('Transactions by result: committed, or rolled back'),
  copse_replica_requests_total: counter('Requests that could read from the replica of the database by outcome: replica, behind, away'),
  copse_database_retries_total: counter('Transactions that were run again after a deadlock'),
  copse_database_connections: gauge('Connections of the pool by state: used, idle; and what waits for one'),
  copse_git_processes_started_total: counter('Started git processes by command'),
  copse_git_process_duration_seconds: histogram('Time of git processes by command, without those that serve many requests'),
  copse_git_processes_running: gauge('Running git processes, those that are kept for many requests included'),
  copse_git_pool_processes: gauge('Git processes that are kept for many requests'),
  copse_git_pool_waiting: gauge('Requests that wait for one of them'),
  copse_permits_taken: gauge('Taken permits of what callers can keep busy, by kind'),
  copse_permits_waiting: gauge('Requests that wait for a permit, by kind'),
  copse_cache_requests_total: counter('Look-ups in caches by cache and result: hit, miss'),
  copse_cache_bytes: gauge('Estimated size of caches'),
  copse_storage_operations_total: counter('Operations on blobs by operation, kind, backend and result'),
  copse_storage_operation_duration_seconds: histogram(
    'Time of operations on blobs by operation and backend; of reads until the first byte',
  ),
  copse_storage_bytes_total: counter('Bytes of stored and read blobs by direction, kind and backend'),
  copse_worker_threads: gauge('Worker threads by state: busy, idle'),
  copse_worker_tasks_waiting: gauge('Tasks that wait for a worker thread'),
  copse_package_upstream_requests_total: counter('Requests for packages of upstream registries by type and outcome'),
  copse_packages_published_total: counter('Published versions of packages by type'),
  copse_jobs_total: counter('Attempts of background jobs by type and result: done, failed, given up'),
  copse_event_loop_delay_seconds: gauge('How late the event loop was in the last ten seconds, by quantile'),
  copse_event_loop_utilization: gauge('The part of the time in which the main thread was busy, since the start'),
  copse_disk_free_bytes: gauge('Free bytes of the disks of the data, by folder'),
  process_resident_memory_bytes: gauge('Resident memory'),
  process_cpu_seconds_total: counter('Processor time of the process, without those that it starts'),
  process_uptime_seconds: gauge('Seconds since the start'),
  process_open_fds: gauge('Open file descriptors'),
  nodejs_heap_size_bytes: gauge('Memory that the JavaScript heap has taken'),
  nodejs_heap_used_bytes: gauge('Used memory of the JavaScript heap'),
  nodejs_external_memory_bytes: gauge('Memory of buffers and the like'),
  nodejs_gc_duration_seconds: histogram('Time of garbage collections by kind'),
  nodejs_active_resources: gauge('Open handles by type'),
  copse_users: ofInstance('Accounts and organizations; at most some minutes old'),
  copse_repositories: ofInstance('Repositories; at most some minutes old'),
  copse_processes: ofInstance('Running processes by role'),
  copse_process_heartbeat_age_seconds: ofInstance('Age of the oldest heartbeat of a registered process'),
  copse_jobs_waiting: ofInstance('Jobs that wait, by queue; those that wait for another attempt too'),
  copse_jobs_running: ofInstance('Jobs that are being done, by queue'),
  copse_jobs_failing: ofInstance('Jobs that failed and wait for another attempt, by queue'),
  copse_jobs_oldest_seconds: ofInstance('How long the oldest due job waits, by queue'),
  copse_events_waiting: ofInstance('Deliveries of events that subscribers have yet to handle'),
  copse_events_oldest_seconds: ofInstance('How long the oldest event waits'),
  copse_webhook_deliveries_waiting: ofInstance('Deliveries of webhooks that wait'),
  copse_webhook_deliveries_failed: ofInstance('Failed deliveries of webhooks of the last hour'),
  copse_action_jobs: ofInstance('Jobs of workflows that are not over, by status'),
  copse_action_runners_online: ofInstance('Runners that have reported in the last minute'),
  copse_backup_last_success_timestamp_seconds: ofInstance(
    'The moment that the last whole backup shows, in seconds since 1970; none before the first',
  ),
  copse_backup_last_duration_seconds: ofInstance('How long the last whole backup took'),
  copse_backup_last_bytes: ofInstance('Bytes of the last whole backup'),
  copse_tasks_failed: ofInstance('Regular tasks whose last run failed, by name'),
} as const satisfies Record<string, MetricDeclaration>;

/** The name of a metric. */
export type MetricName = keyof typeof METRICS;
