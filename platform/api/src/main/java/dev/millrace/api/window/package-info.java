/**
 * Windows that an application provides for its rules, used as {@code S [name(argument, ...)]}.
 *
 * <pre>
 *   time ──────────┬───────────────────┬───────► now
 *                  afterNs             untilNs
 *     rows outside │     rows inside   │  rows that wait
 * </pre>
 *
 * <p>Callers: the engine. Threads: a factory is called by any thread, a window by one thread at a time.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.window;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
