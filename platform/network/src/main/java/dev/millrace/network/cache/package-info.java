/**
 * Caches that live in this server alone.
 *
 * <p>Who lives here: {@link dev.millrace.network.cache.LocalCachingSystem}, the caching system of applications that
 * name none. Who may call: the assembly makes caches, the network loads them, stages and processors use them through
 * {@code dev.millrace.api.cache}. Threads: safe for all.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.cache;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
