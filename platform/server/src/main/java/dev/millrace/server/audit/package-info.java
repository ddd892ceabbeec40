/**
 * The audit log: records changes and rejected requests, with user and address.
 *
 * <pre>
 *   request of a user ─► RequestHandler ─────┐
 *   change of a group ─► AuditedDeployments ─┼─► AuditLog ─► logs/audit.log
 *   start and stop    ─► Activator ──────────┘
 * </pre>
 *
 * <p>A change gets one line before it begins and one after it has ended, so that no change happens without a line: when
 * the first line cannot be written, the change is refused. Threads: thread-safe.
 */
package dev.millrace.server.audit;
