/**
 * Time in the engine: signed 64-bit nanoseconds.
 *
 * <p>Contents: {@link dev.millrace.api.time.Clock} and its implementations. Callers: all modules. Thread-safe. No code
 * of the product reads {@code System.nanoTime} or {@code currentTimeMillis} for event time, so tests, replay and
 * simulation control the time.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.time;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
