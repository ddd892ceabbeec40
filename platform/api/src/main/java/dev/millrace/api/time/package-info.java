/**
 * Time as the engine sees it: signed 64-bit nanoseconds.
 *
 * <p>Who lives here: {@link dev.millrace.api.time.Clock} and its implementations. Who may call: everybody. Threads:
 * every clock is safe for all threads. Nobody in the product reads {@code System.nanoTime} or
 * {@code currentTimeMillis} for event time, so that tests, replay and simulation own the time.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.time;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
