/**
 * Caches that all members of a cluster have alike, each as a copy of its own.
 *
 * <pre>
 *   put on a member ──► the oldest member puts it in order ──► batches ──► copy on every member ──► listeners, joins
 * </pre>
 *
 * <p>Who may call: bundle activators make the {@link dev.millrace.cluster.cache.ClusteredCachingSystem}; applications
 * see it as {@code dev.millrace.api.cache.CachingSystem}. Threads: one of its own changes copies and calls listeners;
 * callers wait for it. Nothing of an application travels: keys and values are columns as bytes.
 */
package dev.millrace.cluster.cache;
