/**
 * The roles a stage of a network can play, and its life cycle. Roles and names are those of Oracle Event Processing.
 *
 * <pre>
 *   adapter ──sender──► channel ──► processor ──► channel ──sink──► event bean
 *   (StreamSource,                                              (StreamSink,
 *    EventBatchSource)                                           EventBatchSink)
 * </pre>
 *
 * <p>Two families: the object roles ({@code StreamSource}, {@code StreamSink}, ...) see single events as beans, maps
 * or tuples; the columnar roles ({@link dev.millrace.api.stage.EventBatchSource}, {@link
 * dev.millrace.api.stage.EventBatchSink}) see {@link dev.millrace.api.event.EventBatch}es and cost nothing an event.
 *
 * <p>Who may call: the network calls call-backs, stages call senders. Threads: life-cycle calls come one at a time
 * from the deploying thread; event calls come on the thread of the stage before, one at a time a stage, unless the
 * stage is a {@link dev.millrace.api.stage.ConcurrentSink}. Life cycle: properties set, {@code afterPropertiesSet},
 * configuration, {@code afterConfigurationActive}, {@code run}, events, {@code suspend}, {@code resume}, ..., {@code
 * destroy}.
 */
@Export
@Version("1.1.0")
package dev.millrace.api.stage;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
