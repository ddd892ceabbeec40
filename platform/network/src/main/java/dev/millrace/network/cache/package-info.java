/**
 * Caches that exist in this server only, and caches of any kind as stages of a network.
 *
 * <p>Contents: {@link dev.millrace.network.cache.LocalCachingSystem}, the caching system of applications that name
 * none; {@link dev.millrace.network.cache.CacheSink} and {@link dev.millrace.network.cache.CacheStage}, which put rows
 * into a cache and create events from its changes; {@link dev.millrace.network.cache.WriteBehindStore}. Callers: the
 * assembly creates caches, the network loads them, stages and processors use them through
 * {@code dev.millrace.api.cache}. Threads: caches are thread-safe.
 */
@Export
@Version("1.1.0")
package dev.millrace.network.cache;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
