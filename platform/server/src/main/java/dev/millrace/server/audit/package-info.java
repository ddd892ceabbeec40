/**
 * The audit log: who changed what from where, and who was refused.
 *
 * <pre>
 *   request of a user ─► RequestHandler ─┐
 *   change of a group ─► AuditedDeployments ─┼─► AuditLog ─► logs/audit.log
 *   start and stop    ─► Activator ──────┘
 * </pre>
 *
 * <p>A change gets a line before it begins and one when it has ended, so that none happens without a line: when the
 * first cannot be written, the change is refused. Threads: safe for all.
 */
package dev.millrace.server.audit;
