/**
 * The roles and the life cycle of a stage of a network. Roles and names are those of Oracle Event Processing.
 *
 * <pre>
 *   adapter ──sender──► channel ──► processor ──► channel ──sink──► event bean
 *   (StreamSource,                                              (StreamSink,
 *    EventBatchSource)                                           EventBatchSink)
 * </pre>
 *
 * <p>There are two sets of roles: the object roles ({@code StreamSource}, {@code StreamSink}, ...) handle single events
 * as beans, maps or tuples; the columnar roles ({@link dev.millrace.api.stage.EventBatchSource},
 * {@link dev.millrace.api.stage.EventBatchSink}) handle {@link dev.millrace.api.event.EventBatch}es and add no cost per
 * event.
 *
 * <p>Callers: the network calls callbacks, stages call senders. Threads: life-cycle methods are called one at a time by
 * the deploying thread; event methods are called on the thread of the stage above, one call at a time per stage, unless
 * the stage is a {@link dev.millrace.api.stage.ConcurrentSink}. Life cycle: properties set, {@code afterPropertiesSet},
 * configuration, {@code afterConfigurationActive}, {@code run}, events, {@code suspend}, {@code resume}, ...,
 * {@code destroy}.
 */
@Export
@Version("1.2.0")
package dev.millrace.api.stage;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
