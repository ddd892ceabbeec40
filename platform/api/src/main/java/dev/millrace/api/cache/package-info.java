/**
 * Caches as seen by applications: keyed values that queries join with, loaded and stored through call-backs.
 *
 * <p>Who may call: stages and loaders of an application. Threads: a cache is safe for all threads; loaders and
 * listeners are called by the thread that touches the cache.
 */
@Export
@Version("1.1.0")
package dev.millrace.api.cache;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
