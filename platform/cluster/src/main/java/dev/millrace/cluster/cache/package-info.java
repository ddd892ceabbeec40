/**
 * Caches replicated to all members of a cluster.
 *
 * <pre>
 *   put on a member ──► leader (oldest member) orders it ──► batches ──► replica on every member ──► listeners, joins
 * </pre>
 *
 * <p>Callers: the bundle activator starts the {@link dev.millrace.cluster.cache.ClusteredCachingSystem}; applications
 * use it as {@code dev.millrace.api.cache.CachingSystem}. Threads: a dedicated thread changes replicas and calls
 * listeners; callers wait for it. No application classes are transferred: keys and values travel as encoded columns.
 */
package dev.millrace.cluster.cache;
