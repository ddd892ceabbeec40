/**
 * Caches as seen by applications: keyed values that queries join with, loaded and stored through callbacks.
 *
 * <p>Callers: stages and loaders of an application. Threads: a cache is thread-safe; loaders and listeners are called
 * by the thread that accesses the cache.
 */
@Export
@Version("1.1.0")
package dev.millrace.api.cache;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
