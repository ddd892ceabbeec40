/**
 * Causes for which a network does not do all of its work: conditions that stages raise, rows that are rejected because
 * of a limit or a failure, calls that do not return, stages that have failed.
 *
 * <pre>
 *   StageConditions.raise ─┐
 *   Rejections ────────────┼─► Condition ─► Network.state (DEGRADED, FAILED), Network.conditions
 *   CallMonitor ─────────────┤
 *   failure of a stage ────┘
 * </pre>
 *
 * <p>Callers: stages of the network and management threads. Thread-safe.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.condition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
